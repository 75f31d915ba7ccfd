import { type PageReport, pageReportAddress, reportNonceName } from '@daybook/contract';

/** The server takes a nonce for 10 minutes; a newer one is taken a minute before, in ms. */
const nonceLifetime = 9 * 60_000;

const sent = new Set<string>();

/** Lets reports of this page count while a canary runs; the page's own, which its view was counted with, for as long as it is valid. */
let nonce = nonceOfDocument();
let nonceSince = 0;

function nonceOfDocument(): string | undefined {
  const [document] = performance.getEntriesByType?.('navigation') ?? [];
  const timings = (document as PerformanceNavigationTiming | undefined)?.serverTiming;
  return timings?.find(({ name }) => name === reportNonceName)?.description;
}

/** Takes the nonce that the registry came with, if this page has none or an old one. */
export function takeNonce(headers: Headers): void {
  const [, newer] = new RegExp(`${reportNonceName};desc="([^"]+)"`).exec(headers.get('Server-Timing') ?? '') ?? [];
  if (!newer || (nonce && performance.now() - nonceSince < nonceLifetime)) return;
  nonce = newer;
  nonceSince = performance.now();
}

/** Reports to the shell server, once a page, what became of a release. The response is not awaited, and nothing about the visitor is sent. */
export function sendReport({ remote, version, route, kind }: PageReport): void {
  const report: PageReport = { remote, version, route, kind };
  const key = JSON.stringify(report);
  if (sent.has(key)) return;
  sent.add(key);
  const text = JSON.stringify({ ...report, nonce });
  navigator.sendBeacon(pageReportAddress, new Blob([text], { type: 'application/json' }));
}

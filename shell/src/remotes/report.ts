import { type PageReport, pageReportAddress, reportNonceName } from '@daybook/contract';

const sent = new Set<string>();

/** Lets reports of this page count while a canary runs. */
let nonce = nonceOfDocument();

function nonceOfDocument(): string | undefined {
  const [document] = performance.getEntriesByType?.('navigation') ?? [];
  const timings = (document as PerformanceNavigationTiming | undefined)?.serverTiming;
  return timings?.find(({ name }) => name === reportNonceName)?.description;
}

/** Takes the nonce that the registry came with: it names the releases that this page gets from now on. */
export function takeNonce(headers: Headers): void {
  const [, newer] = new RegExp(`${reportNonceName};desc="([^"]+)"`).exec(headers.get('Server-Timing') ?? '') ?? [];
  nonce = newer ?? nonce;
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

import { type PageReport, pageReportAddress, reportNonceName } from '@daybook/contract/page';

const sent = new Set<string>();

/** Proves to the server, while a canary runs, that it served this page. */
let nonce = nonceOfDocument();

function nonceOfDocument(): string | undefined {
  try {
    const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return document?.serverTiming.find(({ name }) => name === reportNonceName)?.description;
  } catch {
    // Old browsers and privacy extensions have no such entries, or other ones.
    return undefined;
  }
}

/** Stores the nonce of the registry response: it identifies the releases that this page gets from now on. */
export function takeNonce(headers: Headers): void {
  const [, newer] = new RegExp(`${reportNonceName};desc="([^"]+)"`).exec(headers.get('Server-Timing') ?? '') ?? [];
  nonce = newer ?? nonce;
}

/**
 * Reports the failure of a release to the shell server, once per page. Does not wait for the response, and sends nothing
 * about the visitor. Never throws: without beacons, which some browsers and privacy extensions lack, nothing is sent.
 */
export function sendReport(report: Omit<PageReport, 'nonce'>): void {
  const key = JSON.stringify(report);
  if (sent.has(key)) return;
  sent.add(key);
  try {
    const text = JSON.stringify({ ...report, nonce });
    navigator.sendBeacon(pageReportAddress, new Blob([text], { type: 'application/json' }));
  } catch {}
}

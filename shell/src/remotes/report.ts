import { type PageReport, pageReportAddress, reportNonceName } from '@daybook/contract/page';

const sent = new Set<string>();

/** Proves to the server, while a canary runs, that it served this page. */
let nonce = nonceOfDocument();

function nonceOfDocument(): string | undefined {
  try {
    const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return document?.serverTiming.find(({ name }) => name === reportNonceName)?.description;
  } catch {
    // Not in every browser, and extensions replace it.
    return undefined;
  }
}

/** Stores the nonce of the registry response: it identifies the releases that this page gets from now on. */
export function takeNonce(headers: Headers): void {
  const [, newer] = new RegExp(`${reportNonceName};desc="([^"]+)"`).exec(headers.get('Server-Timing') ?? '') ?? [];
  nonce = newer ?? nonce;
}

/**
 * Reports the result of a release to the shell server, once per page. Does not wait for the response, and sends nothing
 * about the visitor. Without the browser's beacons, which extensions remove, nothing is sent.
 */
export function sendReport(report: Omit<PageReport, 'nonce'>): void {
  const key = JSON.stringify(report);
  if (sent.has(key)) return;
  sent.add(key);
  const text = JSON.stringify({ ...report, nonce });
  try {
    navigator.sendBeacon(pageReportAddress, new Blob([text], { type: 'application/json' }));
  } catch {}
}

import { type PageReport, pageReportUrl } from '@daybook/contract/page';
import { whenShown } from '@daybook/platform/when';

const sent = new Set<string>();

/** Reports a failure of a release to the shell server, each once in a document. Some extensions remove beacons. */
export function sendReport(report: PageReport): void {
  const text = JSON.stringify(report);
  if (sent.has(text)) return;
  sent.add(text);
  whenShown(() => {
    try {
      navigator.sendBeacon(pageReportUrl, new Blob([text], { type: 'application/json' }));
    } catch {}
  });
}

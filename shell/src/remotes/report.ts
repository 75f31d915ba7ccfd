import { type PageReport, pageReportAddress } from '@daybook/contract';

const sent = new Set<string>();

/** Tells the shell server, once a page, what became of a release. The answer is not waited for, and nothing of the visitor is sent. */
export function sendReport({ remote, version, route, kind }: PageReport): void {
  const report = JSON.stringify({ remote, version, route, kind } satisfies PageReport);
  if (sent.has(report)) return;
  sent.add(report);
  navigator.sendBeacon(pageReportAddress, new Blob([report], { type: 'application/json' }));
}

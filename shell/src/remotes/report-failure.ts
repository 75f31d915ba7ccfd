import { type FailureReport, failureReportAddress } from '@daybook/contract';

const reported = new Set<string>();

/** Tells the shell server, once a page, that a release failed. The answer is not waited for, and nothing of the visitor is sent. */
export function reportFailure({ remote, version, route, kind }: FailureReport): void {
  const report = JSON.stringify({ remote, version, route, kind } satisfies FailureReport);
  if (reported.has(report)) return;
  reported.add(report);
  navigator.sendBeacon(failureReportAddress, new Blob([report], { type: 'application/json' }));
}

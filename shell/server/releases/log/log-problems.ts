import { remoteNameSchema } from '@daybook/contract';
import type { ReleaseChange } from './release-change.ts';

/** What is wrong with the release log, in a sentence that names the line and, where it is known, the remote. */
export type LogProblem = string;

/** An unreadable line may have been any change; most often its remote can still be made out. */
export function describeUnreadable(line: number, text: string): LogProblem {
  const [, name] = /"remote":\s*"([^"]*)"/.exec(text) ?? [];
  const remote = remoteNameSchema.safeParse(name).data;
  return `Line ${line} of the release log${remote ? `, of ${remote},` : ''} can't be read; what it changed does not count.`;
}

/** Between two changes of a remote others are missing: this one was made from a state that nobody knows. */
export function describeGap(line: number, { remote, revision, action, to }: ReleaseChange, last: number): LogProblem {
  return `Line ${line} of the release log, ${action} of ${remote} to ${to}, does not count: it is change ${revision} of ${remote}, and ${last + 1} is missing.`;
}

/** The log was put in the place of one that had more changes of a remote. */
export function describeShorter(remote: string, before: number, after: number): LogProblem {
  return `The release log was replaced by one that has fewer changes of ${remote}: ${after} instead of ${before}.`;
}

import type { ReleaseChange } from '../../releases/log/release-change.ts';
import type { ReleaseManagement } from '../../releases/release-management.ts';
import { overviewOf, type RemoteOverview } from '../../releases/release-overview.ts';
import { sentenceOf } from '../../releases/texts/change-texts.ts';
import { afterUnpin } from '../../releases/texts/waiting-texts.ts';
import { releasesPageAddress } from './addresses.ts';
import type { Message } from './page-frame.ts';

/** In ms: the page is requested at once; a later reload does not announce what may be out of date by then. */
const announcedFor = 60_000;

function furtherSentences({ action, from, auto }: ReleaseChange, overview: RemoteOverview): readonly string[] {
  switch (action) {
    case 'rollback':
      return [
        overview.kept.some(({ version }) => version === from)
          ? `${from} is not activated by itself again; pin it, or start a canary of it, to take it after all.`
          : `${from} is not activated by itself again. It is not kept here any more.`,
      ];
    case 'pin':
      return ['Newer releases are mirrored and wait until it is unpinned.'];
    case 'unpin':
      return [afterUnpin(overview)];
    case 'canary':
      return auto ? ['It is ended by itself where it fails too often.'] : [];
    case 'activate':
      return [];
  }
}

/** @param overview of the remote, after the change */
export const describeDone = (change: ReleaseChange, overview: RemoteOverview): Message => ({
  kind: 'done',
  sentences: [sentenceOf(change), ...furtherSentences(change, overview)],
});

/** The address of the page that announces a change, named by remote and revision: the words come from the log. */
export const doneAddress = ({ remote, revision }: ReleaseChange) =>
  `${releasesPageAddress}?done=${encodeURIComponent(`${remote}.${revision}`)}`;

/** Returns what was just done; `undefined` where the parameter `done` names no change, or an old one. */
export function doneMessage(done: unknown, management: ReleaseManagement): Message | undefined {
  const change = management.log.changes().findLast(({ remote, revision }) => `${remote}.${revision}` === done);
  if (!change || Date.now() - Date.parse(change.at) > announcedFor) return undefined;
  return describeDone(change, overviewOf(change.remote, management));
}

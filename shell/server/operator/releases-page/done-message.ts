import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReleaseChange } from '../../releases/log/release-change.ts';
import type { ReleaseManagement } from '../../releases/release-management.ts';
import { overviewOf, type RemoteOverview } from '../../releases/release-overview.ts';
import { sentenceOf } from '../../releases/texts/change-texts.ts';
import { afterUnpin } from '../../releases/texts/waiting-texts.ts';
import { releasesPageAddress } from './addresses.ts';
import type { Message } from './page-frame.ts';

/** Names the change that was just made, by remote and revision; what is shown comes from the log. */
const cookieName = 'done';

/** Seconds; the page is asked for at once. */
const lifetime = 60;

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

/** Keeps in mind what was done, for the page that is shown next. */
export function rememberDone(request: FastifyRequest, reply: FastifyReply, { remote, revision }: ReleaseChange): void {
  reply.setCookie(cookieName, `${remote}.${revision}`, {
    path: releasesPageAddress,
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
    maxAge: lifetime,
  });
}

/** What was just done, once: the page that tells it makes the browser forget it. */
export function takeDone(
  request: FastifyRequest,
  reply: FastifyReply,
  management: ReleaseManagement,
): Message | undefined {
  const done = request.cookies[cookieName];
  if (done === undefined) return undefined;
  reply.clearCookie(cookieName, { path: releasesPageAddress });
  const change = management.log.changes().findLast(({ remote, revision }) => `${remote}.${revision}` === done);
  return change && describeDone(change, overviewOf(change.remote, management));
}

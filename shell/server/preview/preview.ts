import type { PreviewedSite, SiteReleases } from '@daybook/releases/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Cookie with the token of a preview's link; until the preview ends. */
const cookie = 'preview';

type Releases = Pick<SiteReleases, 'findPreview' | 'catchUp'>;

/** Headers of what a visitor of a preview gets: it is nobody else's, and may be over at any time. */
export const previewHeaders = {
  'Cache-Control': 'no-store, no-transform',
  Vary: 'Accept-Encoding, Cookie',
  'X-Robots-Tag': 'noindex',
} as const;

/**
 * Sets the cookie of a preview. Signed: a script of a release could set a cookie, and its visitors would keep the release
 * after its rollback.
 *
 * @param endsAt in ms since the epoch
 */
export const openPreview = (reply: Pick<FastifyReply, 'setCookie'>, token: string, endsAt: number) =>
  reply.setCookie(cookie, token, { path: '/', expires: new Date(endsAt), sameSite: 'lax', signed: true });

export const leavePreview = (reply: Pick<FastifyReply, 'clearCookie'>) =>
  reply.clearCookie(cookie, { path: '/', sameSite: 'lax' });

/** Returns whether a visitor has the cookie of a preview, perhaps of one that is over. */
export const hasPreviewCookie = ({ cookies }: Pick<FastifyRequest, 'cookies'>) => cookies[cookie] !== undefined;

/** Finds the running preview of a link's token, also one that another server has just published. */
export async function findPreview(releases: Releases, token: string): Promise<PreviewedSite | undefined> {
  const found = releases.findPreview(token);
  if (found?.index) return found;
  await releases.catchUp();
  return releases.findPreview(token);
}

/** Returns the running preview whose link the visitor has opened. */
export async function previewOf(
  request: Pick<FastifyRequest, 'cookies' | 'unsignCookie'>,
  releases: Releases,
): Promise<PreviewedSite | undefined> {
  const { valid, value } = request.unsignCookie(request.cookies[cookie] ?? '');
  return valid ? findPreview(releases, value) : undefined;
}

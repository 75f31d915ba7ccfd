import { isDeepStrictEqual } from 'node:util';
import { hashOf, limitErrors, ManifestError, readManifest, releaseLimits } from '@daybook/contract/manifest';
import { type Publication, type Published, previewUrl, type Release, type State } from '@daybook/contract/release';
// The types of a multipart request.
import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type Blobs, nameOf } from '../releases/blobs.ts';
import { historyOf, nextState } from '../releases/state.ts';
import { type Store, StoreError } from '../releases/store.ts';
import type { NewBlob, StoreChange } from '../releases/store-change.ts';
import { checkPaths, rollbackTargets } from './change.ts';
import { ReleasesError } from './errors.ts';
import { changeSentences, visitorsSentence } from './sentences.ts';
import type { TokenHolder } from './tokens.ts';

/** In bytes. */
export const maxUpload = releaseLimits.size + 2_000_000;

const limits = {
  fileSize: releaseLimits.size,
  files: releaseLimits.files + 1,
  parts: releaseLimits.files + 1,
  fieldSize: releaseLimits.manifest,
  fields: 1,
};

/** @throws ReleasesError if the length of a body is unknown or too large */
export function checkLength({ headers }: FastifyRequest): void {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) throw new ReleasesError(411, 'A release is sent with its Content-Length.');
  if (length > maxUpload)
    throw new ReleasesError(413, `The release has ${length} bytes; at most ${maxUpload} are possible.`);
}

interface SentRelease {
  readonly release: Release;
  readonly manifest: string;
  readonly blobs: readonly NewBlob[];
}

/** Reads a release into memory; files are known by their content. @throws ReleasesError or ManifestError */
export async function readRelease(request: FastifyRequest, remote: string): Promise<SentRelease> {
  let read: { readonly release: Release; readonly manifest: string } | undefined;
  const sent = new Map<string, { readonly name: string; readonly content: Buffer }>();
  const { raw } = request;
  const gone = new Promise<never>((_, reject) => {
    const end = () => reject(new ReleasesError(400, 'The body ended before its end.'));
    if (raw.destroyed) end();
    raw.once('close', () => raw.complete || end());
  });
  gone.catch(() => undefined);
  try {
    const parts = request.parts({ limits });
    for (;;) {
      const { value: part, done } = await Promise.race([parts.next(), gone]);
      if (done) break;
      const content =
        part.type === 'file' ? await Promise.race([part.toBuffer(), gone]) : Buffer.from(String(part.value));
      if (read) {
        const name = (part.type === 'file' ? part.filename : part.fieldname) ?? '';
        sent.set(await nameOf(content as Buffer<ArrayBuffer>), { name, content });
      } else if (part.fieldname === 'manifest') {
        // JSON with a byte order mark is none.
        const manifest = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
        read = { manifest, release: readManifest(manifest, remote) };
      } else throw new ReleasesError(400, 'The first part has to be “manifest”: release.json.');
    }
  } catch (error) {
    if (error instanceof ReleasesError || error instanceof ManifestError) throw error;
    const { message, code, statusCode = 400 } = error as Error & { code?: string; statusCode?: number };
    const reason = `The body can't be read: ${message}${code ? ` (${code})` : ''}.`;
    throw new ReleasesError(statusCode < 500 ? statusCode : 400, reason);
  }
  if (!read) throw new ReleasesError(400, 'The body has no part “manifest”.');
  const files = Object.entries(read.release.files).map(([name, file]) => ({
    ...file,
    name,
    hash: hashOf(file.integrity),
  }));
  const listed = new Set(files.map(({ hash }) => hash));
  const errors = [
    ...files
      .filter(({ hash }) => !sent.has(hash))
      .map(({ name }) => `${name} was not sent with the content that release.json states.`),
    ...[...sent]
      .filter(([hash]) => !listed.has(hash))
      .map(([, { name }]) => `${name.slice(0, 200)} was sent, and release.json lists no such content.`),
    ...files
      .filter(({ hash, size }) => (sent.get(hash)?.content.length ?? size) !== size)
      .map(({ name, size }) => `${name} does not have the ${size} bytes that release.json states.`),
  ];
  if (errors.length > 0) throw new ReleasesError(422, limitErrors(errors));
  return { ...read, blobs: [...sent].map(([hash, { content }]) => ({ hash, content })) };
}

/** Equal releases may come from different commits. */
const contentOf = (manifest: string) => {
  const { commit: _, author: __, ...content } = JSON.parse(manifest) as Record<string, unknown>;
  return content;
};

/** @throws ReleasesError if another version is active than the sender compared with */
async function checkBase(
  change: StoreChange,
  state: State | undefined,
  remote: string,
  base: string | undefined,
): Promise<void> {
  const active = state?.active ?? 'none';
  if (base === undefined || base === active) return;
  const stored = state?.active ? await change.manifest(remote, state.active) : undefined;
  const { commit, author } = stored ? readManifest(stored.manifest, remote, Number.POSITIVE_INFINITY) : {};
  const details = [commit && `commit ${commit.slice(0, 10)}`, author && `by ${author}`, state?.at]
    .filter(Boolean)
    .join(', ');
  throw new ReleasesError(
    409,
    `Visitors have ${remote}@${active} by now (${details}), and this release was compared with ${base}. Nothing was published; release again.`,
  );
}

async function unchanged(
  change: StoreChange,
  { name, version }: Release,
  state: State | undefined,
): Promise<Omit<Published, 'version' | 'preview' | 'previous'>> {
  const lines = [`${name}@${version} was published before; nothing has changed.`];
  if (state) lines.push(visitorsSentence(state));
  if (version !== state?.active && version !== state?.canary) {
    const rows = await change.rows(name);
    const last = rows.findLast((row, index) => row.action === 'rollback' && rows[index - 1]?.active === version);
    if (last && historyOf(rows).rolledBack.has(version))
      lines.push(`${version} was rolled back by ${last.by}, ${last.at}${last.why ? ` (${last.why})` : ''}.`);
    lines.push(`To give ${version} to visitors: activate ${name}@${version}`);
  }
  return { outcome: 'unchanged', state: state ?? null, lines };
}

async function giveTo(change: StoreChange, release: Release, asked: Publication, holder: TokenHolder) {
  const { name, version } = release;
  const { percent, keep, base, why = '' } = asked;
  const states = await change.lock();
  const before = states.get(name);
  if (await change.wasGiven(name, version, percent !== undefined)) return unchanged(change, release, before);
  if (keep) {
    const kept = `${name}@${version} is stored; visitors with the link of its preview see it.`;
    return {
      outcome: 'kept',
      state: before ?? null,
      lines: [kept, ...(before ? [visitorsSentence(before)] : [])],
    } as const;
  }
  if (before?.heldBy) {
    const who =
      before.heldByOperator && holder.remotes !== '*'
        ? 'Only a token for all remotes can lift that.'
        : `Once it is lifted: activate ${name}@${version}`;
    const held = `${name}@${version} is stored and not active: ${name} is held by ${before.heldBy}.`;
    return { outcome: 'held', state: before, lines: [held, visitorsSentence(before), who] } as const;
  }
  await checkBase(change, before, name, base);
  if (percent !== undefined && !before?.active)
    throw new ReleasesError(422, `${name} has no active release yet, which all other visitors would get.`);
  await checkPaths(change, states, [release], true);
  const given = percent === undefined ? { active: version } : { canary: version, percent };
  const state = await change.insertState(
    nextState(name, before, { action: 'publish', by: holder.name, why, ...given }),
  );
  return {
    outcome: percent === undefined ? 'active' : 'canary',
    state,
    lines: changeSentences(before, state),
  } as const;
}

/** A foreign key or a deadlock: a file of this release was just being removed with an old one. */
const removedMeanwhile = ['23503', '40P01'];

/** Stores a release and gives it to visitors, or neither. @throws ReleasesError, ManifestError or StoreError */
export async function publishRelease(
  { store, blobs }: { readonly store: Store; readonly blobs: Blobs },
  sent: SentRelease,
  asked: Publication,
  holder: TokenHolder,
): Promise<{ readonly published: Published; readonly hasChanged: boolean }> {
  const { release, manifest } = sent;
  const { name: remote, version } = release;
  const attempt = () =>
    store.change(async (change) => {
      const isNew = await change.insertRelease({ remote, version, manifest }, sent.blobs);
      const stored = isNew ? undefined : await change.manifest(remote, version);
      if (stored && !isDeepStrictEqual(contentOf(stored.manifest), contentOf(manifest)))
        throw new ReleasesError(422, `${remote}@${version} is stored with another content; build it again.`);
      const result = await giveTo(change, release, asked, holder);
      const previous = (await rollbackTargets(change, remote))[0] ?? null;
      const published = {
        version,
        ...result,
        previous,
        lines: [...result.lines],
        preview: previewUrl(remote, version),
      };
      return { published, hasChanged: isNew || ['active', 'canary'].includes(result.outcome) };
    });
  const result = await attempt().catch((error: unknown) => {
    if (error instanceof StoreError && removedMeanwhile.includes((error.cause as { code?: string }).code ?? ''))
      return attempt();
    throw error;
  });
  for (const { hash, content } of sent.blobs) await blobs.put(hash, content);
  return result;
}

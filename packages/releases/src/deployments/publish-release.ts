import { createReadStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { missingInShell } from '@daybook/contract/parts';
import type { Release, ReleaseFile } from '@daybook/contract/release';
import { checkFragments } from '../manifest/checked-fragments.ts';
import { contentOf, integrityOf, type ReleaseError, readManifest, throwErrors } from '../manifest/manifest.ts';
import { ReleaseRejection } from '../manifest/rejection.ts';
import { checkCompressedFiles, writeReleaseFiles } from '../manifest/release-files.ts';
import {
  ConflictError,
  type NewRelease,
  type NotDeployed,
  pageFileName,
  storedFiles,
} from '../registry/release-registry.ts';
import type { Deployment } from '../registry/remote-state.ts';
import type { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import { readChecked } from '../snapshot/releases-folder.ts';
import type { Decision, Offer } from './deployment-request.ts';
import type { ReleaseManagement } from './release-management.ts';
import { removeOldReleases } from './retention.ts';

/** A release that was sent, and whom it is for. */
export interface SentRelease {
  readonly remote: string;
  /** Its `release.json`, of which the signature was verified. */
  readonly manifest: string;
  readonly signature: string;
  /** Where each sent file is, by its name in the release. */
  readonly files: ReadonlyMap<string, string>;
  /** All visitors by default. */
  readonly offer?: Offer | undefined;
  readonly decision: Decision;
}

export interface Published {
  readonly release: Release;
  readonly outcome: 'deployed' | NotDeployed;
  /** Of `deployed`. */
  readonly deployment?: Deployment | undefined;
}

/**
 * Checks a sent release, and stores and deploys it in one transaction; what is not right leaves nothing behind. Publishing
 * a release again that was active once, or stored during a hold, changes nothing, so that a repeated or replayed request has no
 * effect; one that was only offered becomes active.
 *
 * @throws ReleaseRejection naming everything that is wrong with the release; DeploymentError if it can't be offered
 */
export async function publishRelease(
  management: ReleaseManagement,
  sent: SentRelease,
  signal: AbortSignal,
): Promise<Published> {
  const { live, registry, retained } = management;
  const { remote, manifest } = sent;
  const release = readManifest(manifest, remote);
  await live.refresh();
  const isKnown = isStored(live, release);
  const errors = sentFileErrors(release, sent.files);
  const decide = (wasStored: boolean) => management.decidePublication(release, sent.offer, sent.decision, wasStored);
  const resultOf = (made: Deployment | NotDeployed): Published =>
    typeof made === 'string' ? { release, outcome: made } : { release, outcome: 'deployed', deployment: made };
  // A container that starts again publishes what it published before: what the site has since is no reason to reject it.
  if (isKnown) {
    throwErrors(errors);
    const made = await management.append(() => decide(true));
    await addCommit(management, release, sent);
    return resultOf(made);
  }
  throwErrors([...errors, ...contractErrors(release), ...management.pathErrors(release, false)]);
  try {
    const { stored, made } = await live.files.inTemporary(async (folder) => {
      const { files, pages } = await checkFiles(folder, release, sent.files, signal);
      const stored: NewRelease = { remote, version: release.version, manifest, signature: sent.signature, pages };
      // Checked once more: the disk may have damaged it, and all servers get what is stored now.
      const read = (name: string) => readChecked(folder, files, name);
      const made = await registry.publish(stored, Object.keys(files), read, () => decide(false));
      live.files.adopt(folder, stored);
      return { stored, made };
    });
    await live.addPublished(stored, typeof made === 'string' ? [] : [made]);
    await removeOldReleases(registry, live, remote, retained);
    return resultOf(made);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    await live.refresh();
    // The same release was stored meanwhile, such as by the request before of a client that lost its connection.
    if (!isStored(live, release)) throw error;
    return resultOf(await management.append(() => decide(true)));
  }
}

/** Checks the sent files in a folder, and adds the pages made of them; returns all files of it. */
async function checkFiles(folder: string, release: Release, sent: ReadonlyMap<string, string>, signal: AbortSignal) {
  await writeReleaseFiles(folder, release, (name) => createReadStream(sent.get(name) ?? ''), signal);
  await checkCompressedFiles(folder, release, signal);
  const pages: Record<string, ReleaseFile> = {};
  for (const [name, content] of await checkFragments(folder, release, signal)) {
    const place = path.join(folder, pageFileName(name));
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
    pages[name] = { integrity: integrityOf(content), size: content.length };
  }
  return { files: storedFiles(release.files, pages), pages };
}

/** Adds the commit to a stored release that names none: its sources were committed after it was published. */
async function addCommit({ live, registry }: ReleaseManagement, release: Release, sent: SentRelease): Promise<void> {
  const { name: remote, version, commit } = release;
  const stored = live.current.servable(remote, version)?.release;
  if (!stored || stored.commit !== undefined || commit === undefined) return;
  await registry.restate({ remote, version, manifest: sent.manifest, signature: sent.signature });
  await live.update(remote);
}

/** Names what the release uses of the contract and this site's shell does not have. */
function contractErrors({ name, uses = [] }: Release): readonly ReleaseError[] {
  const missing = missingInShell(uses);
  if (!missing) return [];
  const message = `it uses what the shell of this site does not have: ${missing}. Release shell and backend first, then ${name}`;
  return [['contract', message]];
}

/** Names the files that are listed and not sent, or sent and not listed. */
function sentFileErrors({ files }: Release, sent: ReadonlyMap<string, string>): readonly ReleaseError[] {
  const missing = Object.keys(files).filter((name) => !sent.has(name));
  const unlisted = [...sent.keys()].filter((name) => !Object.hasOwn(files, name));
  return [
    ...(missing.length > 0 ? [['incomplete', `its files differ; not sent: ${missing.join(', ')}`] as const] : []),
    ...(unlisted.length > 0
      ? [['incomplete', `its files differ; sent, and not in release.json: ${unlisted.join(', ')}`] as const]
      : []),
  ];
}

/**
 * Returns whether the registry has this release.
 *
 * @throws ReleaseRejection if it has another one of the same version
 */
function isStored({ current }: LiveSnapshot, release: Release): boolean {
  const stored = current.servable(release.name, release.version);
  if (!stored || isDeepStrictEqual(contentOf(stored.release), contentOf(release))) return stored !== undefined;
  throw new ReleaseRejection(
    'version-reused',
    `${release.version} differs from the stored release of the same version; raise the version in ${release.name}/package.json`,
  );
}

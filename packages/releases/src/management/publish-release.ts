import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract/release';
import type { ReleaseCache } from '../cache/release-cache.ts';
import { integrityOf, ReleaseRejection, readRelease } from '../gate/gate.ts';
import type { RegistryCopy } from '../registry/registry-copy.ts';
import { ConflictError, type ReleaseRegistry } from '../registry/release-registry.ts';
import type { Deployment } from '../state/remote-state.ts';
import { contentOf, type Offer, type Reason, type ReleaseManagement } from './release-management.ts';

/** The parts of a server that publishing works with. */
export interface PublishingServer {
  readonly registry: ReleaseRegistry;
  readonly copy: RegistryCopy;
  readonly management: ReleaseManagement;
  readonly cache: ReleaseCache;
}

/** A release that was sent, and whom it is for. */
export interface SentRelease {
  readonly remote: string;
  /** Its `release.json`, of which the signature was verified. */
  readonly text: string;
  readonly signedAt?: number | undefined;
  /** Where each sent file is, by its name in the release. */
  readonly files: ReadonlyMap<string, string>;
  /** All visitors by default. */
  readonly offer?: Offer | undefined;
  readonly reason: Reason;
}

/**
 * Result of publishing: `deployed` if a deployment was made, `held` if the release is only stored since its remote is held,
 * and `known` if nothing changed since it was published before.
 */
export interface Published {
  readonly release: Release;
  readonly outcome: 'deployed' | 'held' | 'known';
  readonly deployment?: Deployment | undefined;
}

/**
 * Checks a sent release, and stores and deploys it in one transaction; what is not right leaves nothing behind. Publishing
 * a release again that was active once changes nothing, so that a repeated or replayed request has no effect; one that was
 * only offered becomes active.
 *
 * @throws ReleaseRejection naming what is wrong with the release; DeploymentError if it can't be offered
 */
export async function publishRelease(
  server: PublishingServer,
  sent: SentRelease,
  signal: AbortSignal,
): Promise<Published> {
  const { copy, cache, registry, management } = server;
  const { remote, text, signedAt, files } = sent;
  const release = readRelease(text, remote, 'the request');
  checkSentFiles(release, files);
  await copy.refresh();
  management.checkPaths(release, false);
  let published: Published = { release, outcome: 'known' };
  const decide = async () => {
    const decision = await management.decidePublication(release, sent.offer, sent.reason);
    published = { release, outcome: decision.outcome };
    return decision.deployment;
  };
  const made = (deployment: Deployment | undefined) => ({ ...published, ...(deployment && { deployment }) });
  if (isStored(copy, release)) return made(await management.append(decide));
  const { version } = release;
  if (cache.find(remote, version)) await cache.remove(remote, version);
  let deployment: Deployment | undefined;
  const read = (name: string) => createReadStream(files.get(name) ?? '');
  const stored = { remote, version, description: text, signedAt, files: Object.keys(release.files) };
  await cache.add(release, text, read, signal, async (folder) => {
    deployment = await registry.publish(stored, (name) => readChecked(folder, release, name), decide);
  });
  await copy.refresh();
  return made(deployment);
}

/** @throws ReleaseRejection naming all files that are listed and not sent, or sent and not listed */
function checkSentFiles({ files }: Release, sent: ReadonlyMap<string, string>): void {
  const missing = Object.keys(files).filter((name) => !sent.has(name));
  const unlisted = [...sent.keys()].filter((name) => !Object.hasOwn(files, name));
  const reasons = [
    missing.length > 0 && `not sent: ${missing.join(', ')}`,
    unlisted.length > 0 && `sent, and not in release.json: ${unlisted.join(', ')}`,
  ].filter(Boolean);
  if (reasons.length > 0) throw new ReleaseRejection('incomplete', `its files differ; ${reasons.join('; ')}`);
}

/**
 * Returns whether the registry has this release.
 *
 * @throws ReleaseRejection if it has another one of the same version
 */
function isStored(copy: RegistryCopy, release: Release): boolean {
  const stored = copy.find(release.name, release.version);
  if (!stored || isDeepStrictEqual(contentOf(stored.release), contentOf(release))) return stored !== undefined;
  throw new ReleaseRejection(
    'version-reused',
    `${release.version} differs from the stored release of the same version; raise the version in ${release.name}/package.json`,
  );
}

/** Checks the file once more: the disk may have damaged it, and all servers get what is stored now. */
async function readChecked(folder: string, { files }: Release, name: string): Promise<Buffer> {
  const content = await readFile(path.join(folder, name));
  if (integrityOf(content) !== files[name]?.integrity)
    throw new ConflictError(`its file ${name} was damaged on this server's disk.`);
  return content;
}

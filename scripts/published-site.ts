import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type Release,
  type RemoteIndex,
  releaseFileName,
  releaseFileUrl,
  releaseVersionSchema,
  remoteIndexUrl,
  remoteNameSchema,
} from '@daybook/contract/release';
import { shellManifestFileName, shellManifestSchema } from '@daybook/contract/server';
import { integrityOf, ReleaseRejection, readManifest, releaseLimits } from '@daybook/releases';
import { CommandError } from '@daybook/server/command-line';

/** Timeout of reading all that a command needs from a site, in ms. */
const timeout = 60_000;

/** In bytes: of the remote index, and of the manifests of the shell and of releases. */
const maxManifest = 2_000_000;

/** Number of files that are read at once. */
const parallel = 8;

/** Reads a public file of a site, up to a size in bytes. Redirects are not followed: `--site` is the final address. */
async function read(site: string, file: string, maxSize: number, signal: AbortSignal): Promise<Buffer> {
  const fail = (reason: string) => new CommandError(`${site} can't be used: ${reason}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // In the last of the hundred buckets of visitors, which no canary reaches.
    const response = await fetch(site + file, { redirect: 'manual', signal, headers: { Cookie: 'bucket=99' } });
    if (response.status !== 200) throw fail(`it responded with ${response.status} for ${file}`);
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxSize) throw fail(`${file} is larger than ${maxSize} bytes`);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { message, cause } = error as Error;
    // Of a name with several addresses, it has no message.
    throw fail((cause as Error | undefined)?.message || message);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON of a site; the error does not quote it, since it would reach the terminal. */
async function readJson<Value>(site: string, file: string, parse: (json: unknown) => Value, signal: AbortSignal) {
  const text = String(await read(site, file, maxManifest, signal));
  try {
    return parse(JSON.parse(text));
  } catch {
    throw new CommandError(
      `${site}${file} is not what this clone expects. Is it a site of this product, of about the same age?`,
    );
  }
}

/** Each may fill the disk with a release of the largest accepted size. */
const maxRemotes = 50;

/** The active release of a remote, as a site states it. */
export type ActiveRelease = Pick<Release, 'name' | 'version'>;

function parseRemoteIndex(json: unknown) {
  const { remotes, missing } = json as RemoteIndex;
  if (remotes.length > maxRemotes) throw new Error('too many');
  const active = remotes.map(({ name, version }) => ({
    name: remoteNameSchema.parse(name),
    version: releaseVersionSchema.parse(version),
  }));
  return { active, missing: missing.map((name) => remoteNameSchema.parse(name)) };
}

/** Name of a part of the contract, in the OpenAPI document of an API. */
const partName = /^[\w -]{1,120}$/;

/** Returns what the API of a site has of the contract; `undefined` if it does not say: it is down, or older. */
export async function readApiContract(site: string): Promise<readonly string[] | undefined> {
  const parse = (json: unknown) => {
    const parts: unknown = (json as { 'x-contract'?: unknown })['x-contract'];
    return (parts as readonly string[]).filter((part) => partName.test(part));
  };
  return readJson(site, '/api/docs/openapi.json', parse, AbortSignal.timeout(timeout)).catch(() => undefined);
}

/** Returns the active releases of a site, and the names of its remotes without one. */
export const readSite = (site: string) =>
  readJson(site, remoteIndexUrl, parseRemoteIndex, AbortSignal.timeout(timeout));

type Files = Readonly<Record<string, { readonly integrity: string; readonly size: number }>>;

/** Copies files of a site, whose content is checked, into a folder. */
async function copyFiles(site: string, folderUrl: string, files: Files, folder: string): Promise<void> {
  const signal = AbortSignal.timeout(timeout);
  const waiting = Object.entries(files).values();
  const copy = async () => {
    for (const [file, { integrity, size }] of waiting) {
      const content = await read(site, folderUrl + file, size, signal);
      if (integrityOf(content) !== integrity)
        throw new CommandError(`${site}${folderUrl}${file} does not match its SHA-384 in the manifest.`);
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    }
  };
  await Promise.all(Array.from({ length: parallel }, copy));
}

/** Fills a folder beside its place, and moves it there when it is complete. */
async function replaceFolder(folder: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${folder}.${process.pid}`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  try {
    await fill(temporary);
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * Reads the manifest of a release of a site, and checks it again: a site may be hostile.
 *
 * @throws CommandError naming what is wrong with it
 */
export async function readReleaseOf(site: string, { name, version }: ActiveRelease) {
  const file = releaseFileUrl({ name, version }, releaseFileName);
  const text = String(await read(site, file, releaseLimits.manifest, AbortSignal.timeout(timeout)));
  try {
    return { release: readManifest(text, name), text };
  } catch (error) {
    if (!(error instanceof ReleaseRejection)) throw error;
    throw new CommandError(`${name}@${version} of ${site} can't be used here: ${error.message}.`);
  }
}

/**
 * Copies a release of a site into a folder, like a build of it.
 *
 * @throws CommandError naming what is wrong with it
 */
export async function copyRelease(site: string, active: ActiveRelease, folder: string): Promise<void> {
  const { release, text } = await readReleaseOf(site, active);
  await replaceFolder(folder, async (temporary) => {
    await copyFiles(site, releaseFileUrl(active, ''), release.files, temporary);
    await writeFile(path.join(temporary, releaseFileName), text);
  });
}

/**
 * Copies the shell's build from a site.
 *
 * @throws CommandError if a file is missing, or differs from the manifest
 */
export async function copyShell(site: string, folder: string): Promise<void> {
  const url = '/assets/';
  const signal = AbortSignal.timeout(timeout);
  const manifest = await readJson(site, url + shellManifestFileName, (json) => shellManifestSchema.parse(json), signal);
  const { files = {} } = manifest;
  const sizes = Object.values(files).map((file) => file.size);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  if (sizes.length === 0 || sizes.length > releaseLimits.files || size > releaseLimits.size)
    throw new CommandError(`The shell of ${site} lists ${sizes.length} files of ${size} bytes; it can't be copied.`);
  await replaceFolder(folder, async (temporary) => {
    await copyFiles(site, url, files, temporary);
    await writeFile(path.join(temporary, shellManifestFileName), JSON.stringify(manifest));
  });
}

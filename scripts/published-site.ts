import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { integrityOf, ManifestError, readManifest, releaseLimits } from '@daybook/contract/manifest';
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
import { CommandError } from '@daybook/server/command-line';

/** Upper bound in bytes of the remote index, and of the shell's manifest. */
const maxJson = 2_000_000;

/** Reads a public file of a site, up to a size in bytes. */
async function read(site: string, file: string, maxSize: number): Promise<Buffer> {
  const fail = (reason: string) => new CommandError(`${site} can't be used: ${reason}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A visitor in the last bucket gets no canary.
  const options = {
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
    headers: { Cookie: 'bucket=99' },
  } as const;
  const response = await fetch(site + file, options).catch(({ cause, message }) => {
    throw fail(cause?.message || message);
  });
  if (response.status !== 200) throw fail(`it responded with ${response.status} for ${file}`);
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxSize) throw fail(`${file} is larger than ${maxSize} bytes`);
  }
  return Buffer.concat(chunks);
}

async function readJson<Value>(site: string, file: string, parse: (json: unknown) => Value): Promise<Value> {
  const text = String(await read(site, file, maxJson));
  try {
    return parse(JSON.parse(text));
  } catch {
    throw new CommandError(`${site}${file} is not what this clone expects. Is it a site of this product?`);
  }
}

type ActiveRelease = Pick<Release, 'name' | 'version'>;

/** Returns the active releases of a site, and the names of its remotes without one. */
export const readSite = (site: string) =>
  readJson(site, remoteIndexUrl, (json) => {
    const { remotes, missing } = json as RemoteIndex;
    const active = remotes.map(({ name, version }) => ({
      name: remoteNameSchema.parse(name),
      version: releaseVersionSchema.parse(version),
    }));
    return { active, missing: missing.map((name) => remoteNameSchema.parse(name)) };
  });

/** Fills a folder with files of a site and their manifest; the folder is replaced when all are there. */
async function copyFiles(
  url: string,
  files: Release['files'],
  folder: string,
  manifest: { readonly name: string; readonly text: string },
): Promise<void> {
  const temporary = `${folder}.${process.pid}`;
  const write = async (file: string, content: Buffer | string) => {
    await mkdir(path.dirname(path.join(temporary, file)), { recursive: true });
    await writeFile(path.join(temporary, file), content);
  };
  const waiting = Object.entries(files).values();
  const copy = async () => {
    for (const [file, { integrity, size }] of waiting) {
      const content = await read(url, file, size);
      if (integrityOf(content) !== integrity)
        throw new CommandError(`${url}${file} does not match its SHA-384 in the manifest.`);
      await write(file, content);
    }
  };
  try {
    await Promise.all(Array.from({ length: 8 }, copy));
    await write(manifest.name, manifest.text);
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Reads and checks the manifest of a release of a site. */
async function readManifestOf(site: string, { name, version }: ActiveRelease) {
  const text = String(await read(site, releaseFileUrl({ name, version }, releaseFileName), releaseLimits.manifest));
  try {
    // This clone may be older than the site.
    return { text, release: readManifest(text, name, Number.POSITIVE_INFINITY) };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw new CommandError(`${name}@${version} of ${site} can't be used here: ${error.message}`);
  }
}

/** Reads the active releases of a site. */
export const readReleases = async (site: string): Promise<readonly Release[]> =>
  Promise.all((await readSite(site)).active.map(async (each) => (await readManifestOf(site, each)).release));

/** Copies a release of a site into a folder, like a build of it. */
export async function copyRelease(site: string, active: ActiveRelease, folder: string): Promise<void> {
  const { release, text } = await readManifestOf(site, active);
  await copyFiles(site + releaseFileUrl(active, ''), release.files, folder, { name: releaseFileName, text });
}

/** Copies the shell's build from a site. */
export async function copyShell(site: string, folder: string): Promise<void> {
  const manifest = await readJson(site, `/assets/${shellManifestFileName}`, (json) => shellManifestSchema.parse(json));
  const { files = {} } = manifest;
  if (Object.keys(files).length === 0) throw new CommandError(`The shell of ${site} lists no files.`);
  const text = JSON.stringify(manifest);
  await copyFiles(`${site}/assets/`, files, folder, { name: shellManifestFileName, text });
}

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type PublicRegistry,
  registryAddress,
  releaseFileAddress,
  releaseVersionSchema,
  remoteNameSchema,
} from '@daybook/contract/release';
import { shellManifestFileName, shellManifestSchema } from '@daybook/contract/server';
import { integrityOf, OriginFailure, openOrigin, type ReleaseOrigin, releaseLimits } from '@daybook/releases';
import { CommandError } from '@daybook/server';

/** Timeout of reading all that a start needs from a site, in ms. */
const timeout = 60_000;

/** In bytes: of the registry, and of the description of the shell's build. */
const maxDescription = 2_000_000;

/** Reads a file of a site, up to a size in bytes. */
async function read(origin: ReleaseOrigin, file: string, maxSize: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of origin.readFile(file, signal)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxSize) throw new CommandError(`${origin.address}/${file} is larger than ${maxSize} bytes.`);
    }
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error;
    throw new CommandError(`${origin.address} can't be used as --site: ${error.message}.`);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON of a site; the error does not quote it, since it would reach the terminal. */
async function readJson<Value>(
  origin: ReleaseOrigin,
  file: string,
  parse: (json: unknown) => Value,
  signal: AbortSignal,
): Promise<Value> {
  const text = String(await read(origin, file, maxDescription, signal));
  try {
    return parse(JSON.parse(text));
  } catch {
    throw new CommandError(
      `${origin.address}/${file} is not what this clone expects. Is it a site of this product, of about the same age?`,
    );
  }
}

/** Each may fill the disk with a release of the largest accepted size. */
const maxRemotes = 50;

/** Returns the active releases of a site, each with the address of its files, which is an origin. */
export async function readOrigins(site: string) {
  const parse = (json: unknown) => {
    const { remotes } = json as PublicRegistry;
    if (remotes.length > maxRemotes) throw new Error('too many');
    return remotes.map(({ name, version }) => ({
      name: remoteNameSchema.parse(name),
      version: releaseVersionSchema.parse(version),
    }));
  };
  const active = await readJson(openOrigin(site), registryAddress.slice(1), parse, AbortSignal.timeout(timeout));
  return active.map(({ name, version }) => ({ name, origin: site + releaseFileAddress({ name, version }, '') }));
}

/**
 * Copies the shell's build from a site.
 *
 * @throws CommandError if a file is missing, or differs from its description
 */
export async function copyShell(site: string, folder: string): Promise<void> {
  const signal = AbortSignal.timeout(timeout);
  const assets = openOrigin(`${site}/assets`);
  const manifest = await readJson(assets, shellManifestFileName, shellManifestSchema.parse, signal);
  const files = Object.entries(manifest.files ?? {});
  const size = files.reduce((sum, [, file]) => sum + file.size, 0);
  if (files.length === 0 || files.length > releaseLimits.files || size > releaseLimits.size)
    throw new CommandError(`The shell of ${site} lists ${files.length} files of ${size} bytes; it can't be copied.`);
  for (const [file, { integrity, size }] of files) {
    const content = await read(assets, file, size, signal);
    if (integrityOf(content) !== integrity)
      throw new CommandError(`${assets.address}/${file} does not match its SHA-384 in ${shellManifestFileName}.`);
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  }
  await writeFile(path.join(folder, shellManifestFileName), JSON.stringify(manifest));
}

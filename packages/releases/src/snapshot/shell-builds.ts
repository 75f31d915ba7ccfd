import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ReleaseFile, releaseVersionSchema } from '@daybook/contract/release';
import { integrityOf } from '../manifest/manifest.ts';
import type { ReleaseRegistry } from '../registry/release-registry.ts';
import { shellName } from './registry-content.ts';

/** A file of a build with a content hash in its name, or its compressed form. */
const hashedFile = /\.[0-9a-f]{8}\.\w+(?:\.(?:br|gz))?$/;

/** This server's build of the shell. */
export interface ShellBuildFolder {
  readonly version: string;
  readonly folder: string;
}

/**
 * Stores the hashed files of a build of the shell in the registry, or notes that it is in use again: a page of any version
 * gets its files from any shell server, also during a rolling update.
 *
 * @throws RegistryError, or an error of the file system
 */
export async function storeShellBuild(registry: ReleaseRegistry, own: ShellBuildFolder): Promise<void> {
  const version = releaseVersionSchema.parse(own.version);
  const names = (await readdir(own.folder, { recursive: true })).filter((name) => hashedFile.test(name));
  const contentOf = (name: string) => readFile(path.join(own.folder, name));
  const files: Record<string, ReleaseFile> = {};
  for (const name of names) {
    const content = await contentOf(name);
    files[name] = { integrity: integrityOf(content), size: content.length };
  }
  const build = { remote: shellName, version, manifest: JSON.stringify({ files }), signature: null, pages: {} };
  if (!(await registry.store(build, names, contentOf))) await registry.touch(shellName, version);
}

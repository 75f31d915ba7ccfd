import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Release, type ReleaseFile, releaseFileAddress } from '@daybook/contract';
import { integrityOf } from '../../files/integrity.ts';
import type { KeptRelease } from '../../releases/site-releases.ts';

/** A script or style as a document names it. */
export interface NamedFile {
  readonly address: string;
  readonly integrity: string;
}

/** A style with its text, so that a document can hold it instead of naming it. */
export interface Style extends NamedFile {
  readonly text: string;
}

/** @throws Error where the content is not what it was when the file was built */
export async function readChecked(folder: string, file: string, integrity: string): Promise<string> {
  const content = await readFile(path.join(folder, file));
  if (integrityOf(content) !== integrity) throw new Error(`${file} is not what it was when it was built`);
  return content.toString();
}

/** Reads a text of a release. */
export function readText({ release, folder }: KeptRelease, file: string): Promise<string> {
  return readChecked(folder, file, describe(release, file).integrity);
}

/** How a document names a file of a release. */
export function nameFile({ release }: KeptRelease, file: string): NamedFile {
  return { address: releaseFileAddress(release, file), integrity: describe(release, file).integrity };
}

function describe({ files }: Release, file: string): ReleaseFile {
  const described = files[file];
  // The gate has looked: entry, fragments and the files of pages are among the files.
  if (!described) throw new Error(`${file} is not among the release's files`);
  return described;
}

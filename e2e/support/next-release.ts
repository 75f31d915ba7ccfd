import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName } from '@daybook/contract';
import { root } from '../../scripts/workspaces.ts';

const readRelease = (folder: string): Release => JSON.parse(readFileSync(path.join(folder, releaseFileName), 'utf8'));

function describeFile(file: string) {
  const content = readFileSync(file);
  return { integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`, size: content.length };
}

/** Copies a remote's build to a folder of a test's own; gives its version. */
export function copyRelease(remote: string, folder: string): string {
  cpSync(path.join(root, remote, 'dist'), folder, { recursive: true });
  return readRelease(folder).version;
}

/**
 * Makes another release of the one in a folder: the same pages under another version, without compressed files.
 *
 * @param isBroken whether its entry throws
 */
export function writeNextRelease(folder: string, version: string, isBroken = false): void {
  const release = readRelease(folder);
  const plain = Object.keys(release.files).filter((file) => !/\.(?:br|gz)$/.test(file));
  for (const name of readdirSync(folder)) if (/\.(?:br|gz)$/.test(name)) rmSync(path.join(folder, name));
  for (const file of plain.filter((name) => name.endsWith('.js'))) {
    const place = path.join(folder, file);
    const broken = isBroken && file === release.entry ? "throw new Error('The entry is broken.');\n" : '';
    writeFileSync(place, broken + readFileSync(place, 'utf8').replaceAll(release.version, version));
  }
  const files = Object.fromEntries(plain.map((file) => [file, describeFile(path.join(folder, file))]));
  writeFileSync(path.join(folder, releaseFileName), JSON.stringify({ ...release, version, files }));
}

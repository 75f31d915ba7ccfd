import { generateKeyPairSync, sign } from 'node:crypto';
import { contractVersion, type Release, type ReleaseRoute } from '@daybook/contract/release';
import type { ReleaseSigner } from '@daybook/releases';
import { fileEntry } from '@daybook/runner/releases';

/** A valid integrity value that matches no content. */
export const integrity = `sha384-${'A'.repeat(64)}`;

/** Returns a new key pair of a test's team. */
export function newSigner(): ReleaseSigner {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return { publicKey: x, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

/** Returns a route of a release. */
export const routeOf = (routePath: string, changes: Partial<ReleaseRoute> = {}): ReleaseRoute => ({
  path: routePath,
  title: `Title of ${routePath}`,
  description: `Description of ${routePath}`,
  frame: 'site',
  files: [],
  ...changes,
});

const entry = 'remoteEntry.00000001.js';
const file = { integrity, size: 7 };

/** The entry of such a release with its compressed siblings. */
export const compressedEntry: Release['files'] = { [entry]: file, [`${entry}.br`]: file, [`${entry}.gz`]: file };

/** Returns a release with one file, its entry. */
export const releaseOf = (name: string, changes: Partial<Release> = {}): Release => ({
  name,
  version: '1.0.0-00000001',
  contract: contractVersion,
  designSystem: null,
  entry,
  routes: [routeOf(`/${name}`)],
  files: { [entry]: file },
  ...changes,
});

/** Returns the nth version of a test's remote. */
export const versionOf = (number: number) => `1.0.${number}-${String(number).padStart(8, '0')}`;

/** Returns a release whose only file, its entry, has this content; with real integrity values and sizes. */
export function wholeRelease(
  name: string,
  version: string,
  changes: Partial<Release> = {},
  content = version,
): Release {
  const ownEntry = `remoteEntry.${version.slice(-8)}.js`;
  const files = { [ownEntry]: fileEntry(Buffer.from(content)) };
  return releaseOf(name, { version, entry: ownEntry, files, ...changes });
}

import { apiNumber, type Release, type ReleaseRoute } from '@daybook/contract/release';

/** A valid integrity value that matches no content. */
export const integrity = `sha384-${'A'.repeat(64)}`;

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

/** Returns a release with one file, its entry. */
export const releaseOf = (name: string, changes: Partial<Release> = {}): Release => ({
  name,
  version: '1.0.0-000000000001',
  api: apiNumber,
  entry,
  routes: [routeOf(`/${name}`)],
  files: { [entry]: file },
  ...changes,
});

export const versionOf = (number: number) => `1.0.${number}-${String(number).padStart(12, '0')}`;

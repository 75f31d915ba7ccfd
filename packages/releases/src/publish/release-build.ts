import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';

/** A built release that is not published yet. */
export interface ReleaseBuild {
  readonly folder: string;
  readonly release: Release;
  /** Its release.json, byte for byte. */
  readonly text: string;
}

/** Reads the build in a folder; only the site, or `checkManifest`, checks all that its manifest states. */
export function readReleaseBuild(folder: string): ReleaseBuild {
  const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
  return { folder, release: releaseSchema.parse(JSON.parse(text)), text };
}

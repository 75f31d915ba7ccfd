import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';

/** A built release that is not published yet. */
export interface Candidate {
  readonly folder: string;
  readonly release: Release;
  /** Its release.json, byte for byte. */
  readonly text: string;
}

/** Returns the release in a folder as a candidate; only the site, or `passGate`, checks all that it states. */
export function readCandidate(folder: string): Candidate {
  const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
  return { folder, release: releaseSchema.parse(JSON.parse(text)), text };
}

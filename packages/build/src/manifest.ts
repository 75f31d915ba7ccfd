import { readFileSync } from 'node:fs';
import path from 'node:path';

interface PackageManifest {
  readonly name: string;
  readonly version: string;
}

/** Reads a workspace folder's package.json. */
export const readManifest = (folder: string): PackageManifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

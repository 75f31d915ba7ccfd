import { readFileSync } from 'node:fs';
import path from 'node:path';

interface PackageJson {
  readonly name: string;
  readonly version: string;
}

/** Reads a workspace folder's package.json. */
export const readPackageJson = (folder: string): PackageJson =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

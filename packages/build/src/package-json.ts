import { readFileSync } from 'node:fs';
import path from 'node:path';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  /** Only a remote has them: paths of former pages, each with the page of the site that visitors get instead. */
  readonly redirects?: Readonly<Record<string, string>>;
}

export const readPackageJson = (folder: string): PackageJson =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './workspaces.ts';

/** What a page is opened with that shows nothing without: queries by path, from `examples` in the remote's package.json. */
export function examplesOf(remote: string): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(path.join(root, remote, 'package.json'), 'utf8')) as {
    readonly examples?: Readonly<Record<string, string>>;
  };
  return manifest.examples ?? {};
}

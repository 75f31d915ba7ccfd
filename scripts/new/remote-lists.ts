import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';

/** Files by their path from the repository's root, with their text. */
export type FileTexts = ReadonlyMap<string, string>;

export function writeFiles(files: FileTexts): void {
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

/** The files that list the remotes: their formats have no loops. The folders `mf-*` are the source. */
const files = [
  'docker-compose.yml',
  'deploy/swarm/stack.yml',
  'deploy/kubernetes/base/kustomization.yaml',
  'deploy/kubernetes/example/kustomization.yaml',
  '.github/CODEOWNERS',
];

const region = /(?<=^ *# remotes: written by `npm run check -- --fix`.*\n)[\s\S]*?(?=^ *# end of remotes\n)/gm;

const mention = /mf-[a-z0-9-]+/;
const variableOf = (remote: string) => remote.toUpperCase().replaceAll('-', '_');

/** Splits a list into the entries of its remotes; the first line of an entry has its name. */
function entriesOf(list: string): Map<string, string> {
  const entries = new Map<string, string>();
  let current = '';
  for (const line of list.match(/.*\n/g) ?? []) {
    current = mention.exec(line)?.[0] ?? current;
    entries.set(current, (entries.get(current) ?? '') + line);
  }
  return entries;
}

/** Returns the entry of a new remote, which has a team of its own, like that of another one. */
const like = (entry: string, other: string, remote: string) =>
  entry
    .replaceAll(other, remote)
    .replaceAll(variableOf(other), variableOf(remote))
    .replace(/ @.+/, ` @daybook/${remote.replace('mf-', '')}`);

/** Returns the files whose lists of remotes are stale, with their new text. */
export function staleLists(remotes: readonly string[]): FileTexts {
  const stale = new Map<string, string>();
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const next = text.replaceAll(region, (list) => {
      const entries = entriesOf(list);
      const [[other, entry] = ['', '']] = entries;
      return remotes.map((remote) => entries.get(remote) ?? like(entry, other, remote)).join('');
    });
    if (next !== text) stale.set(file, next);
  }
  return stale;
}

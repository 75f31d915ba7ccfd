import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { parseSync } from '@swc/core';
import { check } from 'recheck';

// Prints the regular expressions of servers, edge and browser code that take more than linear time, or cannot be decided: a
// stranger's text could occupy a server's only thread. Those of packages/build and scripts read only our own files.

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const sources = globSync(
  '{backend/src,shell/{src,server},mf-*/src,packages/{contract,platform,releases,server,ui}/src}/**/*.{ts,tsx}',
  { cwd: root, exclude: ['**/*.spec.*', '**/test/**'] },
);

type Pattern = readonly [source: string, flags: string];

/** Returns the literals in a syntax tree. */
function literalsIn(node: unknown): readonly Pattern[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, pattern, flags } = node as Readonly<Record<string, string>>;
  return type === 'RegExpLiteral' && pattern !== undefined
    ? [[pattern, flags ?? '']]
    : Object.values(node).flatMap(literalsIn);
}

const patternsOfSource = (file: string) =>
  literalsIn(parseSync(read(file), { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true }));

/** Returns the patterns of an nginx configuration, in maps and locations; their syntax is also that of JavaScript. */
const patternsOfNginx = (text: string) =>
  [...text.matchAll(/"~(\*?)((?:\\.|[^"\\])*)"|location ~ (\S+)/g)].map(
    ([, anyCase, ofMap, ofLocation = '']): Pattern => [ofMap ?? ofLocation, anyCase ? 'i' : ''],
  );

const filesOf = new Map<string, string[]>();
const patterns = new Map<string, Pattern>();
for (const [file, found] of [
  ...sources.map((file) => [file, patternsOfSource(file)] as const),
  ['deploy/nginx/edge.conf', patternsOfNginx(read('deploy/nginx/edge.conf'))] as const,
])
  for (const pattern of found) {
    const name = `/${pattern[0]}/${pattern[1]}`;
    patterns.set(name, pattern);
    filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  }

for (const [name, [source, flags]] of patterns) {
  // Without timeouts, a busy machine has the same results.
  const result = await check(source, flags, { timeout: 120_000, attackTimeout: null, incubationTimeout: null });
  if (result.status === 'safe') continue;
  process.exitCode = 1;
  const reason =
    result.status === 'vulnerable' ? `takes more than linear time: ${result.complexity.summary}` : 'is not decided';
  console.log(`${filesOf.get(name)}: ${name} ${reason}`);
}

import { globSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';
import { writeFiles } from './new/remote-lists.ts';

const program = (file: string) => path.join(root, 'node_modules', file);

/** Checks lint rules and formatting of a folder. */
export const lintCommand = (folder: string) => [program('@biomejs/biome/bin/biome'), 'ci', '--colors=off', folder];

/** Checks the types of a folder. In parallel commands instead of threads, which would check much of it twice. */
export const typesCommand = (folder: string) => [
  program('typescript/bin/tsc'),
  '--noEmit',
  '--singleThreaded',
  '-p',
  folder,
];

const typedFolders = globSync('{*,packages/*,backend/test}/tsconfig.json', { cwd: root }).map(path.dirname);

const dependencyCruiser = [
  program('dependency-cruiser/bin/dependency-cruiser.mjs'),
  '--config',
  '.dependency-cruiser.cjs',
  ...['packages', 'shell', ...remotes, 'backend', 'e2e', 'bench', 'scripts'],
];

/** The steps of `npm run check` that are programs. */
const checkSteps = [
  { name: 'lint and format', commands: [lintCommand('.')] },
  { name: 'types', commands: typedFolders.map(typesCommand) },
  { name: 'dependency direction', commands: [dependencyCruiser] },
  { name: 'regular expressions', commands: [[path.join(root, 'scripts/check-patterns.ts')]] },
  { name: 'dead code', commands: [[program('knip/bin/knip.js'), '--no-progress']] },
];

/**
 * Checks generated files, lint, types, dependency direction, regular expressions and dead code, two commands at a time; runs all even if one
 * fails.
 *
 * @param report receives the output of failed commands and a line for each step
 * @returns the names of the steps that failed
 */
export async function runChecks(report: (line: string) => void): Promise<readonly string[]> {
  const failed = new Set<string>();
  // Imported here: it loads the settings of both servers.
  const { generatedFiles } = await import('./generated-files.ts');
  for (const [name, findStale] of Object.entries(generatedFiles)) {
    const stale = [...findStale().keys()];
    if (stale.length === 0) continue;
    failed.add(name);
    report(`The ${name} is stale in ${stale.join(', ')}. Run: npm run check -- --fix`);
  }
  const waiting = checkSteps.flatMap(({ name, commands }) => commands.map((command) => ({ name, command }))).values();
  const worker = async () => {
    for (const { name, command } of waiting) {
      const { code, output } = await runQuietly(command);
      if (code === 0) continue;
      failed.add(name);
      report(output);
    }
  };
  await Promise.all([worker(), worker()]);
  for (const name of [...checkSteps.map((step) => step.name), ...Object.keys(generatedFiles)])
    report(`${failed.has(name) ? '✗' : '✓'} ${name}`);
  return [...failed];
}

/** Writes what `runChecks` would report and a program can fix: generated files, formatting, and some lint rules. */
export async function fixChecks(): Promise<void> {
  const { generatedFiles } = await import('./generated-files.ts');
  for (const findStale of Object.values(generatedFiles)) writeFiles(findStale());
  // What remains is reported by the checks.
  await runQuietly([program('@biomejs/biome/bin/biome'), 'check', '--write', '--colors=off', root]);
}

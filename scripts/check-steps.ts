import path from 'node:path';
import { runQuietly } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';
import { writeFiles } from './new/remote-lists.ts';

const program = (file: string) => path.join(root, 'node_modules', file);

export const lintCommand = (folder: string) => [program('@biomejs/biome/bin/biome'), 'ci', '--colors=off', folder];

const compiler = program('typescript/bin/tsc');

export const typesCommand = (folder: string) => [compiler, '--noEmit', '--singleThreaded', '-p', folder];

const cruiser = [
  program('dependency-cruiser/bin/dependency-cruiser.mjs'),
  '--config',
  'scripts/dependency-cruiser.cjs',
];

/** The steps of `npm run check` that are programs; those that take longest come first. */
const programs = {
  // The three programs of tsconfig.json; several threads would check parts of each twice.
  types: [compiler, '-b', '--singleThreaded', '--pretty', 'false'],
  'dependency direction': [...cruiser, 'packages', 'shell', ...remotes, 'backend', 'e2e', 'scripts'],
  'dead code': [program('knip/bin/knip.js'), '--no-progress', '--config', 'scripts/knip.json'],
  'lint and format': lintCommand('.'),
};

/** Removes repetitions of messages with their indented lines: several programs share a source file. */
const eachOnce = (output: string): string => [...new Set(output.split(/^(?!\s)/m))].join('');

/** Returns problems of files that list what other files define, by the name of the check. */
async function checkLists(): Promise<ReadonlyMap<string, readonly string[]>> {
  // Imported here: they load the settings of both servers.
  const { generatedFiles } = await import('./generated-files.ts');
  const { exampleProblems } = await import('./example-settings.ts');
  const { packageProblems } = await import('./package-problems.ts');
  const stale = Object.entries(generatedFiles).map(([name, findStale]) => {
    const files = [...findStale().keys()].map((file) => `The ${name} is stale in ${file}. Run: npm run check -- --fix`);
    return [name, files] as const;
  });
  return new Map([...stale, ['settings in .env.example', exampleProblems()], ['packages', packageProblems()]]);
}

/** Runs all checks, even if one fails; reports the output of failed ones, and returns their names. */
export async function runChecks(report: (line: string) => void): Promise<readonly string[]> {
  const failed = new Set<string>();
  const lists = await checkLists();
  for (const [name, problems] of lists)
    for (const problem of problems) {
      failed.add(name);
      report(problem);
    }
  const waiting = Object.entries(programs).values();
  const worker = async () => {
    for (const [name, command] of waiting) {
      const { code, output } = await runQuietly(command);
      if (code === 0) continue;
      failed.add(name);
      report(eachOnce(output));
    }
  };
  await Promise.all([worker(), worker()]);
  for (const name of [...Object.keys(programs), ...lists.keys()]) report(`${failed.has(name) ? '✗' : '✓'} ${name}`);
  return [...failed];
}

/** Writes what `runChecks` would report and a program can fix: generated files, formatting, and some lint rules. */
export async function fixChecks(report: (line: string) => void): Promise<void> {
  const { generatedFiles } = await import('./generated-files.ts');
  for (const [name, findStale] of Object.entries(generatedFiles)) {
    const stale = findStale();
    writeFiles(stale);
    if (stale.size > 0) report(`Wrote the ${name}: ${[...stale.keys()].join(', ')}`);
  }
  // What remains is reported by the checks.
  await runQuietly([program('@biomejs/biome/bin/biome'), 'check', '--write', '--colors=off', root]);
}

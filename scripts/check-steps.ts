import { existsSync } from 'node:fs';
import path from 'node:path';
import { exitCode, startNode } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';

const program = (file: string) => path.join(root, 'node_modules', file);

/** Lint and format of a folder. */
export const lintCommand = (folder: string) => [program('@biomejs/biome/bin/biome'), 'ci', '--colors=off', folder];

/** The types of a folder that has a tsconfig.json. */
export const typesCommand = (folder: string) => [program('typescript/bin/tsc'), '--noEmit', '-p', folder];

const typedFolders = [
  'packages/contract',
  'packages/platform',
  'packages/ui',
  'packages/build',
  'packages/release',
  'packages/server',
  'packages/testing',
  'shell',
  ...remotes,
  'backend',
  'backend/test',
  'scripts',
  'bench',
  'e2e',
];

interface CheckStep {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
}

/** What `npm run check` looks at. */
const checkSteps: readonly CheckStep[] = [
  { name: 'lint and format', commands: [lintCommand('.')] },
  {
    name: 'types',
    commands: typedFolders.filter((folder) => existsSync(path.join(root, folder, 'tsconfig.json'))).map(typesCommand),
  },
  {
    name: 'dependency direction',
    commands: [
      [
        program('dependency-cruiser/bin/dependency-cruiser.mjs'),
        '--config',
        '.dependency-cruiser.cjs',
        'packages',
        'shell',
        ...remotes,
        'backend/src',
        'backend/chaos',
        'backend/test',
        'e2e',
        'bench',
        'scripts',
      ],
    ],
  },
  { name: 'table of settings', commands: [[path.join(root, 'scripts/main.ts'), 'settings', '--check']] },
  { name: 'dead code', commands: [[program('knip/bin/knip.js'), '--no-progress']] },
];

/**
 * Runs lint, types, dependency direction and dead code, all of them even where one fails.
 *
 * @returns the names of the steps that failed
 */
export async function runChecks(report: (line: string) => void): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, commands } of checkSteps) {
    const started = performance.now();
    let good = true;
    for (const command of commands) good = (await exitCode(startNode(command))) === 0 && good;
    if (!good) failed.push(name);
    report(`${good ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  }
  return failed;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runQuietly } from '@daybook/testing/processes';
import { root } from '@daybook/testing/workspaces';
import { lintCommand, typesCommand } from '../check-steps.ts';
import { jestEnvironment, jestParameters, jestProgram } from '../jest-run.ts';
import { CommandError } from '../run-command.ts';
import { readJestResults } from '../test-results.ts';

/** @throws CommandError with what Biome says of the remote's folder */
export async function checkFormat(remote: string): Promise<void> {
  const { code, output } = await runQuietly(lintCommand(remote));
  if (code !== 0)
    throw new CommandError(`${output.trim()}\n\nMost of it mends itself: npx biome check --write ${remote}`);
}

/** @throws CommandError with what the compiler says of the remote */
export async function checkTypes(remote: string): Promise<void> {
  const { code, output } = await runQuietly(typesCommand(remote));
  if (code !== 0) throw new CommandError(`${output.trim()}\n\nThe types of ${remote} don't fit; see above.`);
}

/** A pattern for Jest that stands for every path below the folder. */
const below = (folder: string) => `^${(folder + path.sep).replaceAll(/[^\w/-]/g, '\\$&')}`;

/**
 * Runs the tests in the remote's folder, and no others.
 *
 * @returns how many passed
 * @throws CommandError with what the tests say where one fails, and where there is none that passed: a release
 * whose tests are not found, or are all skipped, shall not pass for a tested one
 */
export async function runOwnTests(remote: string): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-release-tests-'));
  const results = path.join(folder, 'jest.json');
  try {
    const { code, output } = await runQuietly(
      [
        // Without threads of its own Node can't hang at its end: docs/decisions/2026-11-21-node-hangs-at-its-end.md
        '--single-threaded',
        path.join(root, 'node_modules', jestProgram),
        ...jestParameters(results),
        '--passWithNoTests',
        '--silent',
        below(path.join(root, remote)),
      ],
      { environment: jestEnvironment },
    );
    if (code !== 0) throw new CommandError(`${output.trim()}\n\nRun them alone with: npm test -- units ${remote}/`);
    const { passed, skipped } = readJestResults(results);
    if (passed > 0) return passed;
    const which = skipped > 0 ? `All ${skipped} tests of ${remote} are skipped` : `${remote} has no tests`;
    throw new CommandError(
      `${which}. A release needs one that passes: write it beside what it tests, such as ${remote}/src/pages/….spec.tsx`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release } from '@daybook/contract';
import { checkCollisions, OriginFailure, openOrigin, ReleaseRejection, readRelease } from '@daybook/release';
import { CommandError } from '@daybook/server';
import { budgetTable, compareWithBudget } from '@daybook/testing/budgets';
import { runQuietly } from '@daybook/testing/processes';
import { remoteOrigins, root } from '@daybook/testing/workspaces';
import { EnvironmentError, parseRemotes, type RemoteOrigin } from '../../shell/server/environment.ts';
import { lintCommand, typesCommand } from '../check-steps.ts';
import { jestEnvironment, jestParameters } from '../commands/test.ts';
import { readJestResults } from '../test-results.ts';
import type { Candidate } from './candidate.ts';

/** Timeout of an origin in ms; one that exceeds it is not compared with. */
const originTimeout = 5_000;

/** A folder is named from the repository's root, as for the shell server; npm runs scripts of a remote in its folder. */
const fromRoot = (origin: string) =>
  origin.startsWith('file:') ? `file:${path.resolve(root, origin.slice('file:'.length))}` : origin;

/** The origins of all other remotes: those of `REMOTES`, or every `mf-*` folder's `dist`. */
function otherOrigins(remote: string): readonly RemoteOrigin[] {
  try {
    return parseRemotes(process.env.REMOTES || remoteOrigins()).filter(({ name }) => name !== remote);
  } catch (error) {
    throw error instanceof EnvironmentError ? new CommandError(error.message) : error;
  }
}

/** What an origin offers; nothing, and a line about why, where that can't be had. */
async function offered({ name, origin }: RemoteOrigin, report: (line: string) => void): Promise<readonly Release[]> {
  try {
    return [readRelease(await openOrigin(fromRoot(origin)).describe(AbortSignal.timeout(originTimeout)), name, origin)];
  } catch (error) {
    if (!(error instanceof OriginFailure || error instanceof ReleaseRejection)) throw error;
    // A remote that was never built is nobody's problem here.
    if (error.reason !== 'missing') report(`    not compared with ${name}, ${origin}: ${error.message}`);
    return [];
  }
}

/**
 * Passes a candidate through the gate of the shell server: what it would refuse later is refused now, its paths that
 * another remote has included.
 *
 * @param report gets a line about each remote that the candidate could not be compared with
 * @throws CommandError saying what is refused, and why
 */
export async function passGate({ release, text }: Candidate, report: (line: string) => void): Promise<void> {
  const others = await Promise.all(otherOrigins(release.name).map((origin) => offered(origin, report)));
  try {
    readRelease(text, release.name, release.name);
    checkCollisions(release, others.flat());
  } catch (error) {
    if (!(error instanceof ReleaseRejection)) throw error;
    const advice =
      error.reason === 'collision'
        ? ' Give the page another path, or have the other remote release without it first.'
        : '';
    throw new CommandError(
      `The shell server would refuse ${release.name}@${release.version}: ${error.message}.${advice}`,
    );
  }
}

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
        // Without threads of its own Node can't hang at its end: docs/decisions/2026-11-21-node-bugs.md
        '--single-threaded',
        path.join(root, 'node_modules/jest/bin/jest.js'),
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

/** @throws CommandError where a part of the candidate has no budget, or is heavier */
export function checkBudget({ release }: Candidate): void {
  const manifest = path.join(root, release.name, 'package.json');
  const { budget } = JSON.parse(readFileSync(manifest, 'utf8')) as { budget?: unknown };
  const { rows, problems } = compareWithBudget(release, budget, path.relative(root, manifest));
  for (const line of budgetTable(rows)) console.log(`    ${line}`);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

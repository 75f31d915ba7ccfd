import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brokenLinks } from '@daybook/build/links';
import { readPages } from '@daybook/build/pages';
import { pathConflicts, type Release, redirectProblems } from '@daybook/contract/release';
import type { ReleaseBuild } from '@daybook/releases';
import { CommandError } from '@daybook/server/command-line';
import { overweightPages } from '@daybook/testing/budgets';
import { runQuietly } from '@daybook/testing/processes';
import { remotes, root } from '@daybook/testing/workspaces';
import { lintCommand, typesCommand } from '../check-steps.ts';
import { below, jestEnvironment, jestParameters } from '../test.ts';
import { readJestResults } from '../test-results.ts';

/** @param active what visitors have of the remote; a page that is gone has a redirect, since others link to it */
export function checkPaths(release: Release, others: readonly Release[], active?: Release): void {
  const { redirects = {} } = release;
  const kept = new Set([
    ...[release, ...others].flatMap(({ routes }) => routes.map(({ path }) => path)),
    ...Object.keys(redirects),
  ]);
  const gone = (active?.routes ?? [])
    .filter(({ path }) => !kept.has(path))
    .map(({ path }) => `${path} is gone, and visitors and other pages link to it. Redirect it: docs/teams.md`);
  const conflicts = pathConflicts(release, others).map(
    (conflict) => `${conflict} Give the page another path, or move it: docs/teams.md`,
  );
  const problems = [...conflicts, ...redirectProblems(release, others), ...gone];
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

function installed(name: string): string {
  const manifest = path.join(root, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? `${name}@${JSON.parse(readFileSync(manifest, 'utf8')).version}` : name;
}

/** @throws CommandError with Biome's findings in the remote's folder, and the commands that fix them */
export async function checkFormat(remote: string, repository = root): Promise<void> {
  const { code, output } = await runQuietly(lintCommand(remote), { folder: repository });
  if (code === 0) return;
  const undeclared = new Set(Array.from(output.matchAll(/Dependency (\S+) isn't specified/g), ([, name = '']) => name));
  const names = [...undeclared].map(installed).join(' ');
  const fix = names ? `npm install --save-exact ${names} -w ${remote}` : `npx biome check --write ${remote}`;
  throw new CommandError(`${output.trim()}\n\nTo fix it: ${fix}`);
}

export async function checkTypes(remote: string): Promise<void> {
  const { code, output } = await runQuietly(typesCommand(remote));
  if (code !== 0) throw new CommandError(`${output.trim()}\n\n${remote} has type errors; see above.`);
}

/** Runs only the tests of the remote, one of which must pass; returns their number, for people. */
export async function runOwnTests(started: AsyncDisposableStack, remote: string): Promise<string> {
  const folder = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-release-tests-'))).path;
  const results = path.join(folder, 'jest.json');
  const { code, output } = await runQuietly(
    [
      // Avoids a hang of multi-threaded Node at exit: docs/decisions/2026-11-22-request-framing.md
      '--single-threaded',
      path.join(root, 'node_modules/jest/bin/jest.js'),
      ...jestParameters(results),
      '--passWithNoTests',
      '--silent',
      // Types and browser use the other cores.
      '--runInBand',
      '--forceExit',
      below(path.join(root, remote)),
    ],
    { environment: jestEnvironment },
  );
  const report = output.replaceAll(/^Test results written to: .*$/gm, '').trim();
  if (code !== 0) throw new CommandError(`${report}\n\nRun them alone with: npm test ${remote}`);
  const { passed, skipped } = readJestResults(results);
  if (passed > 0) return `${passed} passed`;
  const which = skipped > 0 ? `All ${skipped} tests of ${remote} are skipped` : `${remote} has no tests`;
  throw new CommandError(
    `${which}. A release needs one that passes: write it next to the code it tests, such as ${remote}/src/pages/….spec.tsx`,
  );
}

export function checkWeight(release: Release): void {
  const problems = overweightPages(release);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

const clonePaths = () =>
  remotes.flatMap((name) => readPages(path.join(root, name)).pages.map(({ route }) => route.path));

/** Links must lead to a page of the site: of the releases of the other remotes, by default those of this clone. */
export function checkLinks({ folder, release }: ReleaseBuild, others: readonly Release[] | undefined): void {
  const pages = release.routes.flatMap(({ path: page, fragment }) =>
    fragment ? [[page, readFileSync(path.join(folder, fragment), 'utf8')] as const] : [],
  );
  const site = [release, ...(others ?? [])];
  const paths = site.flatMap(({ routes, redirects = {} }) => [
    ...routes.map((each) => each.path),
    ...Object.keys(redirects),
  ]);
  const problems = brokenLinks(new Map(pages), new Set([...paths, ...(others ? [] : clonePaths())]));
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildSources, sourcesFileName } from '@daybook/build/sources';
import { pathConflicts, type Release, redirectProblems } from '@daybook/contract/release';
import { checkManifest, type ReleaseBuild } from '@daybook/releases/publish';
import { compareWithBudget } from '@daybook/runner/budgets';
import { runQuietly } from '@daybook/runner/processes';
import { root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';
import { lintCommand, typesCommand } from '../check-steps.ts';
import { below, jestEnvironment, jestParameters } from '../test.ts';
import { readJestResults } from '../test-results.ts';

/**
 * Checks a build as the site will: its manifest, and that no other remote has one of its paths.
 *
 * @param others the releases that visitors get of other remotes
 * @param active the one that they get of the same remote
 * @throws CommandError with the rejected release and every reason
 */
export function checkAsSite(build: ReleaseBuild, others: readonly Release[], active: Release | undefined): void {
  checkManifest(build);
  const { release } = build;
  const problems = [...pathConflicts(release, others, { active }), ...redirectProblems(release, others)];
  if (problems.length === 0) return;
  const sentences = problems.map((problem) => {
    const advice = /belongs to/.test(problem) ? ' Give the page another path, or move it: docs/teams.md' : '';
    return `${problem}.${advice}`;
  });
  throw new CommandError(`The site would reject ${release.name}@${release.version}: ${sentences.join('\n')}`);
}

/** Packages of which a page has one copy, the shell's. */
const shellPackages = ['react', 'react-dom'];

/** @throws CommandError if a build bundles a package that the shell provides: hooks fail with two copies of React */
export function checkShared(remote: string, folder: string): void {
  const { packages }: BuildSources = JSON.parse(readFileSync(path.join(folder, sourcesFileName), 'utf8'));
  const copied = shellPackages.filter((name) => packages.includes(name));
  if (copied.length === 0) return;
  throw new CommandError(
    `${remote} contains its own copy of ${copied.join(' and ')}, but a page can have only the shell's: hooks fail with two. Import “react”, “react/jsx-runtime” and “react-dom” by these names only, no file or other entry of them.`,
  );
}

/** A finding as Biome writes it for GitHub: severity, rule, file, line, column and message. */
const finding = /^::(?:error|warning) title=(.*?),file=(.*?),line=(\d+),.*?col=(\d+),.*?::(.*)$/gm;

/** The message of Biome's rule `noUndeclaredDependencies`. */
const undeclared = /Dependency (\S+) isn't specified in /;

/** Returns a package with its installed version, as npm takes it; without a version if it is not installed. */
function installed(name: string): string {
  const manifest = path.join(root, 'node_modules', name, 'package.json');
  return existsSync(manifest) ? `${name}@${JSON.parse(readFileSync(manifest, 'utf8')).version}` : name;
}

/**
 * Returns commands that fix Biome's findings.
 *
 * @param lines one for each finding
 */
export function adviceOn(lines: readonly string[], remote: string): readonly string[] {
  const packages = new Set(lines.flatMap((line) => undeclared.exec(line)?.[1] ?? []));
  const names = [...packages].map(installed).join(' ');
  return [
    ...(names ? [`Declare what it imports: npm install --save-exact ${names} -w ${remote}`] : []),
    ...(lines.some((line) => line.endsWith('(format)')) ? [`Format it: npx biome check --write ${remote}`] : []),
  ];
}

/** Returns the path in a finding, in which the characters are escaped that separate properties of a GitHub annotation. */
const pathIn = (property: string) =>
  property.replaceAll(/%(25|0A|0D|2C|3A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** @throws CommandError with a line for each of Biome's findings in the remote's folder */
export async function checkFormat(remote: string, repository = root): Promise<void> {
  const { code, output } = await runQuietly([...lintCommand(remote), '--reporter=github'], { folder: repository });
  if (code === 0) return;
  const lines = [...output.matchAll(finding)].map(
    ([, rule, file = '', line, column, message]) =>
      `${path.relative(repository, path.resolve(repository, pathIn(file)))}:${line}:${column}: ${message} (${rule})`,
  );
  throw new CommandError(lines.length > 0 ? [...lines, ...adviceOn(lines, remote)].join('\n') : output.trim());
}

/** @throws CommandError with the compiler's output for the remote */
export async function checkTypes(remote: string): Promise<void> {
  const { code, output } = await runQuietly(typesCommand(remote));
  if (code !== 0) throw new CommandError(`${output.trim()}\n\n${remote} has type errors; see above.`);
}

/**
 * Runs only the tests in the remote's folder.
 *
 * @param started removes the temporary folder of the results when it is disposed
 * @returns the number of passed tests, for people
 * @throws CommandError with the output if a test fails, and if none passed: a release whose tests are missing or all
 * skipped must not count as tested
 */
export async function runOwnTests(started: AsyncDisposableStack, remote: string): Promise<string> {
  // Also removed if Ctrl-C ends the tests.
  const folder = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-release-tests-'))).path;
  const results = path.join(folder, 'jest.json');
  const { code, output } = await runQuietly(
    [
      // Avoids a hang of multi-threaded Node at exit: docs/decisions/2026-11-22-server-package.md
      '--single-threaded',
      path.join(root, 'node_modules/jest/bin/jest.js'),
      ...jestParameters(results),
      '--passWithNoTests',
      '--silent',
      // One process: each more loads Jest and the components again, while types and browser use the other cores.
      '--runInBand',
      // What a test leaves running ends with it, as with a worker process.
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

/**
 * @returns the fullest part, for people
 * @throws CommandError if a part of the build has no budget or exceeds it
 */
export function checkBudget({ release }: ReleaseBuild): string {
  const manifest = path.join(root, release.name, 'package.json');
  const { budget } = JSON.parse(readFileSync(manifest, 'utf8')) as { budget?: unknown };
  const { rows, problems } = compareWithBudget(release, budget, path.relative(root, manifest));
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  const share = ({ used, budget }: (typeof rows)[number]) => Math.ceil((used / budget) * 100);
  return `at most ${Math.max(...rows.map(share))} % used`;
}

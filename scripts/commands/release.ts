import path from 'node:path';
import { UsageError } from '@daybook/server';
import { remotes } from '@daybook/testing/workspaces';
import { originFolder } from '../data-folder.ts';
import { checkInBrowser } from '../release/browser-checks.ts';
import { buildCandidate, type Candidate, expectSameSources, sourcesOf } from '../release/candidate.ts';
import { checkBudget, checkFormat, checkTypes, passGate, runOwnTests } from '../release/checks.ts';
import { cleanUp, isPublished, offeredVersion, publish, watchSite } from '../release/publish.ts';
import { runCommand } from '../run-command.ts';

interface ParsedOptions {
  readonly to?: string;
  readonly site?: string;
  readonly dryRun?: boolean;
}

/** Variables in which npm stores options without a `--` before them; up to npm 11, `--to` abbreviates one of npm's. */
const consumedByNpm = { npm_config_to: 'to', npm_config_token_description: 'to', npm_config_site: 'site' };

/**
 * Completes the options from npm's environment: the remote, the calling folder, and options that npm consumed. A
 * consumed `--dry-run` must not turn a dry run into a release.
 *
 * @throws UsageError with the correct command
 */
export function resolveOptions({ to, site, dryRun = false }: ParsedOptions, environment: NodeJS.ProcessEnv) {
  const remote = environment.npm_package_name ?? '';
  if (!remotes.includes(remote))
    throw new UsageError(`A release is of one remote: npm run release -w <remote>, with ${remotes.join(', ')}.`);
  for (const [variable, option] of Object.entries(consumedByNpm))
    if (environment[variable] !== undefined)
      throw new UsageError(`npm consumed --${option}; write: npm run release -w ${remote} -- --${option} …`);
  if (to === '') throw new UsageError('--to needs a folder.');
  // The site of npm start polls only its own origins.
  const watched = site ?? (to === undefined ? `http://localhost:${environment.PORT || 8080}` : undefined);
  if (watched !== undefined && !/^https?:$/.test(URL.parse(watched)?.protocol ?? ''))
    throw new UsageError('--site needs an address such as https://daybook.example.');
  return {
    remote,
    site: watched,
    dryRun: dryRun || environment.npm_config_dry_run === 'true',
    to: to === undefined ? undefined : path.resolve(environment.INIT_CWD ?? process.cwd(), to),
  };
}

/** Runs a step and prints its name, duration and number of passed tests; starts no step after `stopped`. */
async function step<Value>(name: string, stopped: AbortSignal, run: () => Value | Promise<Value>): Promise<Value> {
  stopped.throwIfAborted();
  const begun = performance.now();
  try {
    const value = await run();
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`  ✓ ${name}${typeof value === 'number' ? `: ${value} passed` : ''} (${seconds} s)`);
    return value;
  } catch (error) {
    console.log(`  ✗ ${name}`);
    throw error;
  }
}

/** Checks a candidate alone and inside the shell; throws if it must not be released. */
async function checkCandidate(
  started: AsyncDisposableStack,
  stopped: AbortSignal,
  candidate: Candidate,
  sources: string,
): Promise<void> {
  const { name } = candidate.release;
  await step('gate of the shell server', stopped, () => passGate(candidate, console.log));
  await step('lint and format', stopped, () => checkFormat(name));
  await step('types', stopped, () => checkTypes(name));
  await step('its own tests', stopped, () => runOwnTests(name));
  await step('size budget', stopped, () => checkBudget(candidate));
  await step('in a browser, inside the shell', stopped, () => checkInBrowser(started, candidate));
  await step('sources unchanged', stopped, () => expectSameSources(name, sources));
}

/**
 * `npm run release -w <remote>`: builds the remote, checks it alone and inside the shell, and publishes it to its
 * origin. Builds nothing else of the repository, and needs no running site.
 */
export const release = (options: ParsedOptions): Promise<never> =>
  runCommand(async (started, stopped) => {
    const { remote, to, site, dryRun } = resolveOptions(options, process.env);
    // Printed at the end, also after an error or a signal.
    let summary = 'Nothing was published.';
    started.defer(() => console.log(`\n${summary}`));
    const origin = to ?? originFolder(remote);
    const before = await offeredVersion(origin, remote);
    console.log(`Releasing ${remote} …`);
    const sources = sourcesOf(remote);
    const candidate = await step('build', stopped, () => buildCandidate(remote));
    const name = `${remote}@${candidate.release.version}`;
    // A dry run still runs all checks: the candidate may be copied to another origin.
    if (!dryRun && (await isPublished(candidate, origin))) {
      summary = `Nothing new to release: ${name} is already at its origin.`;
      return;
    }
    await checkCandidate(started, stopped, candidate, sources);
    if (dryRun) {
      summary = `${name} passed all checks. Nothing was published: this was a dry run.`;
      return;
    }
    const publishing = step(`publish to ${path.relative(process.cwd(), origin) || '.'}`, stopped, async () => {
      await publish(candidate, origin, stopped);
      summary = `${name} is published${before ? ` in place of ${before}` : ''}.`;
    });
    // Publishing is short: a command stopped meanwhile waits for it and reports its result.
    started.defer(() => publishing.catch(() => undefined));
    await publishing;
    const { removed, problems } = await cleanUp(candidate, origin);
    if (removed > 0) console.log(`    ${removed} files of earlier releases removed`);
    for (const problem of problems) console.log(`  ! Published, but cleanup is incomplete: ${problem}`);
    const activation = site ? await watchSite(site, candidate.release) : 'A running site activates it within seconds.';
    summary += `
  ${activation}
  inspect:    npm run releases -- show ${remote}
  roll back:  npm run releases -- rollback ${remote}`;
  });

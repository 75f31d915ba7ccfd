import path from 'node:path';
import { UsageError } from '@daybook/server';
import { remotes, root } from '@daybook/testing/workspaces';
import { stampFileName } from '../build-stale.ts';
import { buildCandidate, type Candidate, expectSameSources, stampOf } from '../release/candidate.ts';
import { checkBudget, checkFormat, checkTypes, passGate, runOwnTests } from '../release/checks.ts';
import { isPublished, offeredVersion, publish, tidyUp, watchSite } from '../release/publish.ts';
import { tryInBrowser } from '../release/trial.ts';
import { runCommand } from '../run-command.ts';

interface ParsedOptions {
  readonly to?: string;
  readonly site?: string;
  readonly dryRun?: boolean;
}

/** Variables in which npm leaves options that come without a `--` before them; up to npm 11, `--to` is short for one. */
const takenByNpm = { npm_config_to: 'to', npm_config_token_description: 'to', npm_config_site: 'site' };

/**
 * Completes the options by what npm's environment says: whose script runs, where it was called, and which options npm
 * took for itself. One of those must not make a release of what was meant as a trial.
 *
 * @throws UsageError that says what to write
 */
export function resolveOptions({ to, site, dryRun = false }: ParsedOptions, environment: NodeJS.ProcessEnv) {
  const remote = environment.npm_package_name ?? '';
  if (!remotes.includes(remote))
    throw new UsageError(`A release is of one remote: npm run release -w <remote>, with ${remotes.join(', ')}.`);
  for (const [variable, option] of Object.entries(takenByNpm))
    if (environment[variable] !== undefined)
      throw new UsageError(`npm took --${option} for itself; write: npm run release -w ${remote} -- --${option} …`);
  if (to === '') throw new UsageError('--to needs a folder.');
  // The site of npm start polls no other folder than dist.
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

/** Runs a step, and prints its name with the time it took and how many tests passed; no step begins after `stopped`. */
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

/** Tries a candidate alone and inside the shell; throws where it is not fit for release. */
async function tryOut(started: AsyncDisposableStack, stopped: AbortSignal, candidate: Candidate): Promise<void> {
  const { name } = candidate.release;
  await step('gate of the shell server', stopped, () => passGate(candidate, console.log));
  await step('lint and format', stopped, () => checkFormat(name));
  await step('types', stopped, () => checkTypes(name));
  await step('its own tests', stopped, () => runOwnTests(name));
  await step('size budget', stopped, () => checkBudget(candidate));
  await step('in a browser, inside the shell', stopped, () => tryInBrowser(started, candidate));
  await step('sources as they were', stopped, () => expectSameSources(candidate));
}

/**
 * `npm run release -w <remote>`: builds the remote, tries it alone and inside the shell, and publishes it to its
 * origin. Nothing else of the repository is built, and nothing need run.
 */
export const release = (options: ParsedOptions): Promise<never> =>
  runCommand(async (started, stopped) => {
    const { remote, to, site, dryRun } = resolveOptions(options, process.env);
    // Said at the end, however that comes.
    let outcome = 'Nothing was published.';
    started.defer(() => console.log(`\n${outcome}`));
    const origin = to ?? path.join(root, remote, 'dist');
    const before = await offeredVersion(origin, remote);
    console.log(`Releasing ${remote} …`);
    const candidate = await step('build', stopped, () => buildCandidate(remote));
    const name = `${remote}@${candidate.release.version}`;
    // A dry run tries it all the same: the candidate may be copied to another origin.
    if (!dryRun && (await isPublished(candidate, origin))) {
      outcome = `Nothing new to release: ${name} is at its origin already.`;
      return;
    }
    await tryOut(started, stopped, candidate);
    if (dryRun) {
      outcome = `${name} is fit for release. Nothing was published: it was a dry run.`;
      return;
    }
    const publishing = step(`publish to ${path.relative(process.cwd(), origin) || '.'}`, stopped, async () => {
      await publish(candidate, origin, stopped);
      outcome = `${name} is published${before ? ` in place of ${before}` : ''}.`;
    });
    // It takes moments: whoever stops the command meanwhile is told what came of it.
    started.defer(() => publishing.catch(() => undefined));
    await publishing;
    const stamp = to ? undefined : { file: stampFileName, content: stampOf(candidate.release) };
    const { removed, problems } = await tidyUp(candidate, origin, stamp);
    if (removed > 0) console.log(`    ${removed} files of earlier builds removed`);
    for (const problem of problems) console.log(`  ! It is published, but not all was tidied up: ${problem}`);
    const taken = site ? await watchSite(site, candidate.release) : 'A site that runs takes it over in seconds.';
    outcome += `
  ${taken}
  look at it:    npm run releases -- show ${remote}
  take it back:  npm run releases -- rollback ${remote}`;
  });

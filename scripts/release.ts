import path from 'node:path';
import { hashOfToken, newPreviewToken } from '@daybook/releases';
import {
  type Candidate,
  changedPages,
  checkDates,
  checkTexts,
  cleanUp,
  type DateOptions,
  describePublished,
  describePushed,
  isPublished,
  openSigner,
  passGate,
  publish,
  readOffered,
  resolveSigning,
  type SigningOptions,
  SiteClient,
  signCandidate,
  type WatchResult,
  watchSite,
} from '@daybook/releases/publish';
import { exitCodes, UsageError } from '@daybook/server';
import { remotes } from '@daybook/testing/workspaces';
import { sourceHash } from './build.ts';
import { callingFolder, keyFile, originFolder } from './data-folder.ts';
import { findRunningSite } from './recorded-site.ts';
import { checkInBrowser } from './release/browser-checks.ts';
import { buildCandidate, expectSameSources } from './release/candidate.ts';
import { checkBudget, checkFormat, checkShared, checkTypes, runOwnTests, siteOrigins } from './release/checks.ts';
import { sharedChanges } from './release/shared-changes.ts';
import { inParallel, print, step } from './release/steps.ts';
import { runCommand } from './run-command.ts';

interface ParsedOptions extends SigningOptions {
  readonly to?: string;
  readonly site?: string;
  readonly dryRun?: boolean;
  readonly preview?: boolean;
  readonly percent?: string;
  readonly showKey?: boolean;
  readonly typo?: boolean;
  readonly dateIsRight?: boolean;
}

/** Variables in which npm stores options without a `--` before them; up to npm 11, `--to` abbreviates one of npm's. */
const consumedByNpm = {
  npm_config_to: 'to',
  npm_config_token_description: 'to',
  npm_config_site: 'site',
  npm_config_preview: 'preview',
  npm_config_percent: 'percent',
  npm_config_key_file: 'key-file',
  npm_config_sign_with: 'sign-with',
  npm_config_public_key: 'public-key',
  npm_config_show_key: 'show-key',
  npm_config_typo: 'typo',
  npm_config_date_is_right: 'date-is-right',
};

/**
 * Completes the options from npm's environment: the remote, the calling folder, and options that npm consumed. A
 * consumed `--dry-run` must not turn a dry run into a release.
 *
 * @throws UsageError with the correct command
 */
export function resolveOptions(
  {
    to,
    site,
    percent,
    dryRun = false,
    preview = false,
    showKey = false,
    typo = false,
    dateIsRight = false,
    ...signing
  }: ParsedOptions,
  environment: NodeJS.ProcessEnv,
) {
  const remote = environment.npm_package_name ?? '';
  if (!remotes.includes(remote))
    throw new UsageError(`A release is of one remote: npm run release -w <remote>, with ${remotes.join(', ')}.`);
  for (const [variable, option] of Object.entries(consumedByNpm))
    if (environment[variable] !== undefined)
      throw new UsageError(`npm consumed --${option}; write: npm run release -w ${remote} -- --${option} …`);
  if (to === '') throw new UsageError('--to needs a folder.');
  if (site !== undefined && !/^https?:$/.test(URL.parse(site)?.protocol ?? ''))
    throw new UsageError('--site needs an address such as https://daybook.example.');
  if (percent !== undefined && (!site || to !== undefined || preview))
    throw new UsageError('--percent needs --site, without --to or --preview.');
  const folder = environment.INIT_CWD ?? process.cwd();
  return {
    remote,
    site,
    dryRun: dryRun || environment.npm_config_dry_run === 'true',
    to: to === undefined ? undefined : path.resolve(folder, to),
    preview,
    percent,
    showKey,
    dates: { isTypo: typo, isDateRight: dateIsRight },
    signing: resolveSigning(signing, environment, folder),
  };
}

/**
 * Checks a candidate alone and inside the shell: quick checks first, then the others at the same time.
 *
 * @param published the release that the candidate's pages are compared with
 * @param sources hash of the sources that the candidate was built from
 * @param dates what is said of the dates of changed texts
 * @throws Error with everything that must be fixed before it can be released
 */
async function checkCandidate(
  started: AsyncDisposableStack,
  stopped: AbortSignal,
  candidate: Candidate,
  published: Candidate | undefined,
  sources: string,
  dates: DateOptions,
): Promise<void> {
  const { folder, release } = candidate;
  const { name } = release;
  const report = (line: string) => print(`    ${line}`);
  await step('gate of the shell server', stopped, () => passGate(candidate, siteOrigins(), report));
  await step('one copy of React', stopped, () => checkShared(name, folder));
  await step('lint and format', stopped, () => checkFormat(name));
  await step('own texts', stopped, () => checkTexts(candidate));
  await step('dates of changed texts', stopped, () => checkDates(candidate, published, dates));
  await step('size budget', stopped, () => checkBudget(candidate));
  const changed = changedPages(candidate, published);
  await inParallel(stopped, {
    types: () => checkTypes(name),
    'its own tests': () => runOwnTests(started, name),
    'in a browser, inside the shell': () => checkInBrowser(started, candidate, changed),
  });
  await step('sources unchanged', stopped, () => expectSameSources(name, sources));
}

/**
 * `npm run release -w <remote>`: builds the remote, checks it alone and inside the shell, signs it, and publishes it to
 * its origin. Builds nothing else of the repository, and needs no running site.
 */
export const release = (options: ParsedOptions): Promise<never> =>
  runCommand(async (started, stopped) => {
    const { remote, to, site, dryRun, preview, percent, showKey, dates, signing } = resolveOptions(
      options,
      process.env,
    );
    const open = (report: (line: string) => void, create?: true) => {
      const made = `Made a key pair that signs the releases of ${remote}`;
      const onCreated = (file: string) => report(`${made}: ${path.relative(callingFolder, file)}`);
      return openSigner(signing, keyFile(remote), onCreated, create);
    };
    if (showKey) {
      console.log(`${remote}:${open(console.error, true).publicKey}`);
      return;
    }
    // Printed at the end, also after an error or a signal.
    let summary = 'Nothing was published.';
    started.defer(() => print(`\n${summary}`));
    const origin = to ?? originFolder(remote);
    const published = await readOffered(origin, remote);
    const token = preview ? newPreviewToken() : undefined;
    const signer = open(print);
    print(`Releasing ${remote} …`);
    const sources = await sourceHash(remote);
    const candidate = await step('build', stopped, () => buildCandidate(remote));
    const name = `${remote}@${candidate.release.version}`;
    // A dry run still runs all checks: the candidate may be copied to another origin.
    const isPushed = site !== undefined && to === undefined;
    const isRenewal = !dryRun && !isPushed && (await isPublished(candidate, origin));
    if (isRenewal && preview) {
      summary = `Nothing to preview: ${name} is the release at its origin.`;
      return;
    }
    if (!isRenewal) {
      for (const line of sharedChanges(remote, candidate.folder, published?.release.commit)) print(`    ${line}`);
      await checkCandidate(started, stopped, candidate, published, sources, dates);
    }
    // An object: a step prints the text that it returns.
    const { signed } = await step(`sign with key ${signer.publicKey.slice(0, 8)}…`, stopped, async () => ({
      // The request states who may see a preview.
      signed: await signCandidate(candidate, signer, isPushed ? undefined : token),
    }));
    if (dryRun) {
      summary = `${name} passed all checks. Nothing was published: this was a dry run.`;
      return;
    }
    if (isPushed) {
      const query = token ? `?preview=${hashOfToken(token)}` : percent ? `?percent=${percent}` : '';
      const client = new SiteClient(site, { signer });
      const report = (line: string) => console.log(`    ${line}`);
      const { status, body } = await step(`publish to ${site}`, stopped, () =>
        client.publish(candidate, signed, query, report),
      );
      // Stored, and not what was asked for.
      if (status === 409) process.exitCode = exitCodes.failed;
      summary = describePushed(candidate, body.lines ?? [], changedPages(candidate, published), site, token);
      return;
    }
    const place = path.relative(callingFolder, origin) || '.';
    const publishing = step(`publish to ${place}`, stopped, async () => {
      await publish(candidate, signed, origin, stopped, preview ? 'preview' : 'release');
      if (isRenewal) summary = `Nothing new to release: ${name} is already at its origin. Its signature was renewed.`;
      else if (preview) summary = `${name} is published as a preview; it does not become active by itself.`;
      else summary = `${name} is published${published ? ` in place of ${published.release.version}` : ''}.`;
    });
    // Publishing is short: a command stopped meanwhile waits for it and reports its result.
    started.defer(() => publishing.catch(() => undefined));
    await publishing;
    if (isRenewal) return;
    const { removed, problems } = await cleanUp(candidate, origin);
    if (removed > 0) print(`    ${removed} files of earlier releases removed; sites keep their own copies`);
    for (const problem of problems) print(`  ! Published, but cleanup is incomplete: ${problem}`);
    // The site of npm start polls only its own origins.
    const watched = site ? { address: site } : to === undefined ? findRunningSite() : undefined;
    let result: WatchResult = { text: `A running site ${preview ? 'shows' : 'activates'} it within seconds.` };
    if (watched) {
      print(`    waiting for ${watched.address} …`);
      result = await watchSite({ site: watched, release: candidate.release, origin, token });
      // A site that rejects a release fails the command.
      if (result.isRejected) process.exitCode = exitCodes.failed;
    } else if (!to) result = { text: 'No site is running: npm start serves it.' };
    summary += `\n${describePublished(candidate.release, result, token, watched?.address)}`;
  });

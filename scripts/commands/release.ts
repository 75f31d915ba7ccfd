import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  hashOfToken,
  newPreviewToken,
  previewFileName,
  ReleaseRejection,
  type ReleaseSigner,
  signedFileName,
  signPreview,
  signRelease,
} from '@daybook/releases';
import { CommandError, exitCodes, UsageError } from '@daybook/server';
import { remotes } from '@daybook/testing/workspaces';
import { callingFolder, originFolder } from '../data-folder.ts';
import { findRunningSite } from '../recorded-site.ts';
import { checkInBrowser } from '../release/browser-checks.ts';
import { buildCandidate, type Candidate, expectSameSources, sourcesOf } from '../release/candidate.ts';
import { changedPages, checkDates, sharedChanges } from '../release/changes.ts';
import {
  checkBudget,
  checkFormat,
  checkShared,
  checkTexts,
  checkTypes,
  passGate,
  runOwnTests,
} from '../release/checks.ts';
import { cleanUp, isPublished, offeredVersion, publish, publishPreview, publishSignature } from '../release/publish.ts';
import { openSigner, resolveSigning, type SigningOptions } from '../release/signing.ts';
import { inParallel, step } from '../release/steps.ts';
import { linkOf, type WatchedSite, type WatchResult, watchPreview, watchSite } from '../release/watch-site.ts';
import { runCommand } from '../run-command.ts';

interface ParsedOptions extends SigningOptions {
  readonly to?: string;
  readonly site?: string;
  readonly dryRun?: boolean;
  readonly preview?: boolean;
  readonly showKey?: boolean;
  readonly typo?: boolean;
}

/** Variables in which npm stores options without a `--` before them; up to npm 11, `--to` abbreviates one of npm's. */
const consumedByNpm = {
  npm_config_to: 'to',
  npm_config_token_description: 'to',
  npm_config_site: 'site',
  npm_config_preview: 'preview',
  npm_config_key_file: 'key-file',
  npm_config_sign_with: 'sign-with',
  npm_config_public_key: 'public-key',
  npm_config_show_key: 'show-key',
  npm_config_typo: 'typo',
};

/**
 * Completes the options from npm's environment: the remote, the calling folder, and options that npm consumed. A
 * consumed `--dry-run` must not turn a dry run into a release.
 *
 * @throws UsageError with the correct command
 */
export function resolveOptions(
  { to, site, dryRun = false, preview = false, showKey = false, typo = false, ...signing }: ParsedOptions,
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
  const folder = environment.INIT_CWD ?? process.cwd();
  return {
    remote,
    site,
    dryRun: dryRun || environment.npm_config_dry_run === 'true',
    to: to === undefined ? undefined : path.resolve(folder, to),
    preview,
    showKey,
    typo,
    signing: resolveSigning(signing, environment, folder),
  };
}

/**
 * Checks a candidate alone and inside the shell: quick checks first, then the others at the same time.
 *
 * @param origin with the release that the candidate's pages are compared with
 * @param sources hash of the sources that the candidate was built from
 * @param isTypo whether dated texts may keep their date
 * @throws Error with everything that must be fixed before it can be released
 */
async function checkCandidate(
  started: AsyncDisposableStack,
  stopped: AbortSignal,
  candidate: Candidate,
  origin: string,
  sources: string,
  isTypo: boolean,
): Promise<void> {
  const { name } = candidate.release;
  await step('gate of the shell server', stopped, () => passGate(candidate, console.log));
  await step('one copy of React', stopped, () => checkShared(candidate));
  await step('lint and format', stopped, () => checkFormat(name));
  await step('own texts', stopped, () => checkTexts(candidate));
  await step('dates of changed texts', stopped, () => checkDates(candidate, origin, isTypo));
  await step('size budget', stopped, () => checkBudget(candidate));
  const changed = changedPages(candidate, origin);
  await inParallel(stopped, {
    types: () => checkTypes(name),
    'its own tests': () => runOwnTests(name),
    'in a browser, inside the shell': () => checkInBrowser(started, candidate, changed),
  });
  await step('sources unchanged', stopped, () => expectSameSources(name, sources));
}

/**
 * Signs a candidate, and writes the signature beside it, for those who copy the candidate to their own origin.
 *
 * @param token of a preview
 * @throws CommandError if a command's signature does not match its public key
 */
async function signCandidate(
  { folder, release, text }: Candidate,
  signer: ReleaseSigner,
  token: string | undefined,
): Promise<string> {
  const signing = token
    ? signPreview(text, release.name, hashOfToken(token), signer)
    : signRelease(text, release.name, signer);
  const signed = await signing.catch((error: Error) => {
    throw error instanceof ReleaseRejection ? new CommandError(`Signing failed: ${error.message}.`) : error;
  });
  writeFileSync(path.join(folder, token ? previewFileName : signedFileName), signed);
  return signed;
}

/**
 * Returns the summary of a published release: the result on the site, and the next commands. Suggests a rollback only if
 * visitors have the release: while it waits, a rollback would withdraw the release that they have.
 */
export function describePublished(remote: string, { text, isActive }: WatchResult): string {
  const inspect = `  ${text}\n  inspect:    npm run releases -- show ${remote}`;
  return isActive ? `${inspect}\n  roll back:  npm run releases -- rollback ${remote} --why "…"` : inspect;
}

/** Returns the summary of a published preview: its link, and the next commands. */
export function describePreviewed(
  { name, version }: Pick<Candidate['release'], 'name' | 'version'>,
  token: string,
  site: string | undefined,
  result: string,
): string {
  const link = site ? linkOf(site, token) : `/_preview/${token}, after the address of the site`;
  return [
    `  ${result}`,
    `  link:       ${link}`,
    '              for 7 days; whoever has it sees the whole site with this release',
    `  activate:   npm run releases -- activate ${name} ${version}`,
    `  end:        npm run releases -- preview ${name} --end`,
  ].join('\n');
}

/** Returns the site that is watched; the site of npm start polls only its own origins. */
const watchedSite = ({ site, to }: Pick<ReturnType<typeof resolveOptions>, 'site' | 'to'>): WatchedSite | undefined =>
  site ? { address: site } : to === undefined ? findRunningSite() : undefined;

/**
 * Waits until visitors have a release that was published. A site that rejects it fails the command.
 */
async function watch(
  candidate: Candidate,
  origin: string,
  watched: WatchedSite | undefined,
  { to, token }: { readonly to: string | undefined; readonly token: string | undefined },
): Promise<WatchResult> {
  if (!watched)
    return {
      text: to
        ? `A running site ${token ? 'shows' : 'activates'} it within seconds.`
        : 'No site is running: npm start serves it.',
    };
  console.log(`    waiting for ${watched.address} …`);
  const { release } = candidate;
  const result = token
    ? await watchPreview(watched, release.name, token, origin)
    : await watchSite(watched, release, origin);
  if (result.isRejected) process.exitCode = exitCodes.failed;
  return result;
}

/**
 * `npm run release -w <remote>`: builds the remote, checks it alone and inside the shell, signs it, and publishes it to
 * its origin. Builds nothing else of the repository, and needs no running site.
 */
export const release = (options: ParsedOptions): Promise<never> =>
  runCommand(async (started, stopped) => {
    const { remote, to, site, dryRun, preview, showKey, typo, signing } = resolveOptions(options, process.env);
    if (showKey) {
      console.log(`${remote}:${openSigner(remote, signing, console.error, true).publicKey}`);
      return;
    }
    // Printed at the end, also after an error or a signal.
    let summary = 'Nothing was published.';
    started.defer(() => console.log(`\n${summary}`));
    const origin = to ?? originFolder(remote);
    const before = await offeredVersion(origin, remote);
    const token = preview ? newPreviewToken() : undefined;
    const signer = openSigner(remote, signing, console.log);
    // An object: a step prints the text that it returns.
    const sign = () =>
      step(`sign with key ${signer.publicKey.slice(0, 8)}…`, stopped, async () => ({
        signed: await signCandidate(candidate, signer, token),
      }));
    console.log(`Releasing ${remote} …`);
    const sources = sourcesOf(remote);
    const candidate = await step('build', stopped, () => buildCandidate(remote));
    const name = `${remote}@${candidate.release.version}`;
    // A dry run still runs all checks: the candidate may be copied to another origin.
    if (!dryRun && (await isPublished(candidate, origin))) {
      if (preview) {
        summary = `Nothing to preview: ${name} is the release at its origin.`;
        return;
      }
      await publishSignature((await sign()).signed, origin);
      summary = `Nothing new to release: ${name} is already at its origin. Its signature was renewed.`;
      return;
    }
    for (const line of sharedChanges(candidate, origin)) console.log(`    ${line}`);
    await checkCandidate(started, stopped, candidate, origin, sources, typo);
    const { signed } = await sign();
    if (dryRun) {
      summary = `${name} passed all checks. Nothing was published: this was a dry run.`;
      return;
    }
    const place = path.relative(callingFolder, origin) || '.';
    const publishing = step(`publish to ${place}`, stopped, async () => {
      if (preview) await publishPreview(candidate, signed, origin, stopped);
      else await publish(candidate, signed, origin, stopped);
      summary = preview
        ? `${name} is published as a preview; it does not become active by itself.`
        : `${name} is published${before ? ` in place of ${before}` : ''}.`;
    });
    // Publishing is short: a command stopped meanwhile waits for it and reports its result.
    started.defer(() => publishing.catch(() => undefined));
    await publishing;
    const { removed, problems } = await cleanUp(candidate, origin);
    if (removed > 0) console.log(`    ${removed} files of earlier releases removed; sites keep their own copies`);
    for (const problem of problems) console.log(`  ! Published, but cleanup is incomplete: ${problem}`);
    const watched = watchedSite({ site, to });
    const result = await watch(candidate, origin, watched, { to, token });
    summary += `\n${token ? describePreviewed(candidate.release, token, watched?.address, result.text) : describePublished(remote, result)}`;
  });

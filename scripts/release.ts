import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sourceCommit } from '@daybook/build/source-commit';
import { readSources } from '@daybook/build/sources';
import type { Release } from '@daybook/contract/release';
import { hashOfToken, newPreviewToken } from '@daybook/releases';
import {
  checkTexts,
  openSigner,
  type ReleaseBuild,
  readReleaseBuild,
  SiteClient,
  SiteError,
  signBuild,
} from '@daybook/releases/publish';
import { root } from '@daybook/runner/workspaces';
import { exitCodes } from '@daybook/server/command-line';
import { sourceHash } from './build.ts';
import { caller } from './environment.ts';
import { findLocalSite, keyFile, keyMade } from './local-site.ts';
import { copyRelease, readApiContract, readReleaseOf, readSite } from './published-site.ts';
import { checkInBrowser } from './release/browser-checks.ts';
import { buildRelease, expectSameSources } from './release/build-release.ts';
import { changedPages, checkDates, type DateOptions } from './release/changes.ts';
import { checkAsSite, checkBudget, checkFormat, checkShared, checkTypes, runOwnTests } from './release/checks.ts';
import { checkContract, type SiteContract } from './release/contract.ts';
import { checkContains } from './release/newer.ts';
import { type ParsedOptions, resolveOptions } from './release/options.ts';
import { failureText, resultText } from './release/result.ts';
import { sharedChanges } from './release/shared-changes.ts';
import { inParallel, print, step } from './release/steps.ts';
import { runCommand } from './run-command.ts';

/** What visitors of a site have. */
interface SiteState {
  /** The active releases of other remotes. */
  readonly others: readonly Release[];
  /** That of the remote that is released, with its files. */
  readonly published?: ReleaseBuild;
  readonly contract?: SiteContract;
}

/**
 * Reads what visitors of a site have.
 *
 * @param started removes the copy of the published release when it is disposed
 * @param client asked as the remote's team, so that a key that the site does not know is said before the build
 */
async function readState(
  started: AsyncDisposableStack,
  remote: string,
  site: string,
  client: SiteClient | undefined,
): Promise<SiteState> {
  const own = (await client?.read(remote)) as { readonly contract?: readonly string[] } | undefined;
  const contract = { shell: own?.contract, api: await readApiContract(site) };
  const { active } = await readSite(site);
  const [running, others] = [
    active.find(({ name }) => name === remote),
    await Promise.all(
      active.filter(({ name }) => name !== remote).map(async (each) => (await readReleaseOf(site, each)).release),
    ),
  ];
  if (!running) return { others, contract };
  const folder = path.join(started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-published-'))).path, remote);
  await copyRelease(site, running, folder);
  return { others, published: readReleaseBuild(folder), contract };
}

/**
 * Checks a build alone and inside the shell: quick checks first, then the others at the same time.
 *
 * @param state what the build is compared with
 * @param sources hash of the sources that the build was made from
 * @param dates what is said of the dates of changed texts
 * @throws Error with everything that must be fixed before it can be released
 */
async function checkBuild(
  started: AsyncDisposableStack,
  stopped: AbortSignal,
  build: ReleaseBuild,
  { others, published, contract }: SiteState,
  sources: string,
  dates: DateOptions,
): Promise<void> {
  const { folder, release } = build;
  const { name } = release;
  await step('what the site would reject', stopped, () => checkAsSite(build, others, published?.release));
  if (contract) await step('contract of the site', stopped, () => checkContract(release, contract));
  await step('one copy of React', stopped, () => checkShared(name, folder));
  await step('own texts', stopped, () => checkTexts(build));
  await step('dates of changed texts', stopped, () => checkDates(build, published, dates));
  await step('lint and format', stopped, () => checkFormat(name));
  await step('size budget', stopped, () => checkBudget(build));
  const changed = changedPages(build, published);
  await inParallel(stopped, {
    types: () => checkTypes(name),
    'its own tests': () => runOwnTests(started, name),
    'in a browser, inside the shell': () => checkInBrowser(started, build, changed),
  });
  await step('sources unchanged', stopped, () => expectSameSources(name, sources));
}

/** Returns why a release names no commit, for people. */
function whyWithoutCommit({ folder, release: { name } }: ReleaseBuild): string {
  const { why } = sourceCommit(root, [...readSources(folder).files, `${name}/package.json`]);
  return `${why ?? 'committed meanwhile'}; the release names no commit`;
}

/**
 * `npm run release <remote>`: builds the remote, checks it alone and inside the shell, signs it, and pushes it to a
 * site. Builds nothing else of the repository.
 */
export const release = (named: string | undefined, options: ParsedOptions): Promise<never> =>
  runCommand(async (started, stopped) => {
    const { remote, site, publicOrigin, at, dryRun, preview, percent, showKey, dates, replaceNewer, signing } =
      resolveOptions(named, options, caller, findLocalSite());
    const open = (report: (line: string) => void, create?: true) =>
      openSigner(signing, keyFile(remote), (file) => report(keyMade(file, remote)), create);
    if (showKey) {
      console.log(`${remote}:${open(console.error, true).publicKey}`);
      return;
    }
    // Printed at the end, also after an error or a signal.
    let summary = 'Nothing was published.';
    started.defer(() => print(`\n${summary}`));
    const signer = open(print);
    const client = site && !dryRun ? new SiteClient(site, { signer }, publicOrigin) : undefined;
    print(`Releasing ${remote}${site ? ` to ${site}` : ''} …`);
    let state: SiteState = { others: [] };
    if (site)
      await step('what visitors have', stopped, async () => {
        state = await readState(started, remote, site, client);
        return state.published?.release.version ?? 'no release yet';
      });
    const { published } = state;
    // A preview replaces nothing.
    if (published && !preview)
      await step('contains what visitors have', stopped, () =>
        replaceNewer === undefined ? checkContains(published.release) : `replaced: ${replaceNewer}`,
      );
    const sources = await sourceHash(remote);
    const build = await step('build', stopped, () => buildRelease(remote));
    const { version, commit } = build.release;
    const name = `${remote}@${version}`;
    if (commit === undefined) print(`  ! ${whyWithoutCommit(build)}`);
    // What is active was checked when it was released.
    if (version !== published?.release.version) {
      for (const line of sharedChanges(remote, build.folder, published?.release.commit)) print(`    ${line}`);
      await checkBuild(started, stopped, build, state, sources, dates);
    }
    // An object: a step prints the text that it returns.
    const { signed } = await step(`sign with key ${signer.publicKey.slice(0, 8)}…`, stopped, async () => ({
      signed: await signBuild(build, signer),
    }));
    if (!client || !site) {
      summary = `${name} passed all checks. Nothing was published: this was a dry run.`;
      return;
    }
    const token = preview ? newPreviewToken() : undefined;
    const query = new URLSearchParams(
      token
        ? { preview: hashOfToken(token) }
        : {
            base: published?.release.version ?? 'none',
            ...(percent && { percent }),
            ...(replaceNewer && { why: replaceNewer }),
          },
    );
    const changed = changedPages(build, published);
    const pushing = step(`publish to ${site}`, stopped, async () => {
      try {
        const { status, body } = await client.publish(build, signed, `?${query}`, (line) => print(`    ${line}`));
        // Stored, and not what was asked for.
        if (status === 409) process.exitCode = exitCodes.failed;
        summary = resultText(body, { name: remote, version, site, changed, token, at });
      } catch (error) {
        if (error instanceof SiteError)
          summary = failureText(remote, version, await client.read(remote).catch(() => undefined));
        throw error;
      }
    });
    // Publishing is short: a command stopped meanwhile waits for it and reports its result.
    started.defer(() => pushing.catch(() => undefined));
    await pushing;
  });

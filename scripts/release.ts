import { rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { sourceCommit } from '@daybook/build/git';
import type { Publication, Release, Remote } from '@daybook/contract/release';
import {
  checkManifest,
  checkTexts,
  failureText,
  isVisible,
  publishedLines,
  type ReleaseBuild,
  ReleasesClient,
  readBuild,
  readToken,
  SiteError,
} from '@daybook/releases';
import { CommandError, exitCodes } from '@daybook/server/command-line';
import { runQuietly } from '@daybook/testing/processes';
import { tokenFileIn } from '@daybook/testing/tokens';
import { buildCommand, root } from '@daybook/testing/workspaces';
import { caller } from './environment.ts';
import { dataFolder, findLocalSite, localTokens } from './local-site.ts';
import { readReleases } from './published-site.ts';
import { checkInBrowser } from './release/browser-checks.ts';
import { checkFormat, checkLinks, checkPaths, checkTypes, checkWeight, runOwnTests } from './release/checks.ts';
import { checkContains, expectNew } from './release/compare.ts';
import { type ParsedOptions, resolveOptions } from './release/options.ts';
import { inParallel, print, step } from './release/steps.ts';
import { runCommand } from './run-command.ts';

type Options = ReturnType<typeof resolveOptions>;

async function buildRelease(remote: string): Promise<ReleaseBuild> {
  // Not `build`, which `npm run dev` writes to as well.
  const folder = path.join(dataFolder, 'release-builds', remote);
  rmSync(folder, { recursive: true, force: true });
  // The browser check names sources by the maps; release.json does not list them, so they are not published.
  const options = ['--mode', 'production', '--devtool', 'hidden-source-map', '--output-path', folder];
  const { code, output } = await runQuietly(buildCommand(remote, ...options), { folder: path.join(root, remote) });
  if (code === 0) return readBuild(folder);
  const words = stripVTControlCharacters(output).replaceAll(/^(?:Rspack compiled with.*|ERROR in × )/gm, '');
  throw new CommandError(words.trim());
}

/** Quick checks first, then the others at the same time. */
async function checkBuild(
  started: AsyncDisposableStack,
  stopped: AbortSignal,
  build: ReleaseBuild,
  { site, keep }: Options,
  { published, api }: { readonly published: readonly Release[]; readonly api: number | undefined },
): Promise<void> {
  const { release } = build;
  const { name } = release;
  const others = published.filter((each) => each.name !== name);
  const active = published.find((each) => each.name === name);
  await step('manifest', stopped, () => checkManifest(build, api));
  // Without a site, and for a release that is only kept, as for a page that moves, the pages of this clone count.
  if (site && !keep) await step('paths and redirects', stopped, () => checkPaths(release, others, active));
  await step('own texts', stopped, () => checkTexts(build));
  await step('links', stopped, () => checkLinks(build, site && !keep ? others : undefined));
  await step('page weight', stopped, () => checkWeight(release));
  await step('lint and format', stopped, () => checkFormat(name));
  await inParallel<unknown>(stopped, {
    types: () => checkTypes(name),
    'its own tests': () => runOwnTests(started, name),
    'in a browser, inside the shell': () => checkInBrowser(started, build, site, active),
  });
}

function openClient({ remote, site, isLocal, tokenFile }: Options, target: string) {
  // Adds a new remote to the tokens of a running `npm start`.
  if (isLocal) localTokens();
  const token = readToken(tokenFile, caller, isLocal ? tokenFileIn(dataFolder, remote) : undefined);
  return new ReleasesClient(site ?? target, token);
}

/** `npm run release <remote>`: builds the remote, checks it alone and inside the shell, and publishes it to a site. */
export const release = (named: string | undefined, parsed: ParsedOptions): Promise<never> =>
  runCommand(async (started, stopped) => {
    const options = resolveOptions(named, parsed, caller, findLocalSite());
    const { remote, site, dryRun, keep, percent, replace } = options;
    const command = (words: string) => `npm run releases -- ${words}${options.at}`;
    const client = site && !dryRun ? openClient(options, site) : undefined;
    // Printed at the end, also after an error or a signal.
    let summary = 'Nothing was published.';
    started.defer(() => print(`\n${summary}`));
    print(`Releasing ${remote}${site ? ` to ${site}` : ''} …`);

    let published: readonly Release[] = [];
    let state: Remote | undefined;
    if (site)
      await step('what visitors have', stopped, async () => {
        // First, so that a wrong token is said at once.
        state = await client?.readRemote(remote);
        published = await readReleases(site);
        return state?.state?.active ?? published.find(({ name }) => name === remote)?.version ?? 'no release yet';
      });
    const active = state
      ? state.releases.find(({ version }) => version === state?.state?.active)
      : published.find(({ name }) => name === remote);
    if (active && !keep)
      await step('your branch contains its commit', stopped, () =>
        replace === undefined ? checkContains(remote, active, options.at) : `replaced: ${replace}`,
      );

    const build = await step('build', stopped, () => buildRelease(remote));
    const { version } = build.release;
    const { why } = sourceCommit(root, [remote, 'packages']);
    if (why) print(`  ! The release names no commit: ${why}.`);
    if (client && state && !keep) {
      const { rows } = await client.readLog(remote);
      expectNew(state, rows, version, command);
      if (active?.version === version && !state.state?.canary) {
        summary = `${remote}@${version} is active already: all visitors get it.`;
        return;
      }
    }
    await checkBuild(started, stopped, build, options, { published, api: state?.api });
    if (!client || !site) {
      summary = `${remote}@${version} passed all checks. Nothing was published: this was a dry run.`;
      return;
    }

    const publication: Publication = {
      ...(keep ? { keep: 'true' } : { base: active?.version ?? 'none' }),
      ...(percent && { percent }),
      ...(replace && { why: replace }),
    };
    const publishing = step(`publish to ${site}`, stopped, async () => {
      try {
        const answer = await client.publish(build, publication, (line) => print(`    ${line}`));
        summary = publishedLines(site, remote, answer, command).join('\n');
        if (!keep && !isVisible(answer)) process.exitCode = exitCodes.failed;
      } catch (error) {
        if (error instanceof SiteError)
          summary = failureText(remote, version, await client.readRemote(remote).catch(() => undefined));
        throw error instanceof SiteError ? error : new CommandError((error as Error).message, { cause: error });
      }
    });
    // Publishing is short: a command stopped meanwhile waits for it and reports its result.
    started.defer(() => publishing.catch(() => undefined));
    await publishing;
  });

import path from 'node:path';
import { CommandError, UsageError } from '@daybook/server/command-line';
import { startNode, stopChild } from '@daybook/testing/processes';
import { ended, type RunningSite, startShellServer } from '@daybook/testing/site';
import { buildCommand, buildFolder, builtWorkspaces, remotes, root } from '@daybook/testing/workspaces';
import { build, forgetBuild } from './build.ts';
import { chosenRemote } from './chosen-remote.ts';
import { caller } from './environment.ts';
import { dataFolder, expectNoLocalSite } from './local-site.ts';
import { copyRelease, copyShell, readSite } from './published-site.ts';
import { runCommand } from './run-command.ts';
import { readSiteSettings } from './site-settings.ts';
import { requestedPort, runSite } from './start.ts';

/** Returns the remote to develop alone, and the origin of the site to show it in; neither for the whole repository. */
export function resolveDevelopment(
  named: string | undefined,
  { site }: { readonly site?: string },
  environment: Readonly<NodeJS.ProcessEnv>,
) {
  const remote = chosenRemote(named, environment);
  const example = `npm run dev ${remote ?? '<remote>'} -- --site https://daybook.example`;
  if (environment.npm_config_site !== undefined) throw new UsageError(`npm consumed --site; write: ${example}`);
  if (site === undefined) return { remote };
  if (!remote) throw new UsageError(`With --site, you develop one of ${remotes.join(', ')}: ${example}`);
  const url = URL.parse(site);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new UsageError(`--site needs the address of a site's home page: ${example}`);
  return { remote, site: url.origin };
}

type Running = Pick<RunningSite, 'broken'>;

/** Builds a workspace for development after each change, until the command ends. */
function watch(started: AsyncDisposableStack, workspace: string): void {
  const options = workspace === 'backend' ? ['--preserveWatchOutput'] : ['--mode', 'development'];
  // A remote's configuration imports its routes: a change of them starts the build again.
  const restarts = remotes.includes(workspace) ? ['--watch', '--watch-preserve-output'] : [];
  forgetBuild(workspace);
  const watcher = startNode([...restarts, ...buildCommand(workspace, '--watch', ...options)], {
    folder: path.join(root, workspace),
    environment: { NODE_ENV: 'development', ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
    label: workspace,
  });
  started.defer(() => stopChild(watcher));
}

/** Runs the site of this repository. Alone, a remote is shown with the releases of the others. */
async function runHere(started: AsyncDisposableStack, port: number, remote: string | undefined): Promise<Running> {
  const settings = readSiteSettings(caller);
  await build(console.log, remote ? ['shell', 'backend'] : builtWorkspaces);
  const others = remote ? remotes.filter((name) => name !== remote) : [];
  const inPlace = remote ? [remote] : remotes;
  const developmentBuilds = Object.fromEntries(inPlace.map((name) => [name, buildFolder(name)]));
  return runSite(started, { port, developmentBuilds, development: true }, settings, others);
}

/** Runs a shell server with the shell, the other remotes' releases and the API of a running site. */
async function runInSite(started: AsyncDisposableStack, port: number, remote: string, site: string): Promise<Running> {
  const settings = readSiteSettings(caller);
  const folder = path.join(dataFolder, 'sites', new URL(site).host.replaceAll(/[^\w-]/g, '_'));
  const shellFolder = path.join(folder, 'shell');
  console.log(`Reading the shell and the releases of ${site} …`);
  const others = (await readSite(site)).active.filter(({ name }) => name !== remote);
  await copyShell(site, shellFolder);
  for (const other of others) await copyRelease(site, other, path.join(folder, other.name));
  const folders = [[remote, buildFolder(remote)], ...others.map(({ name }) => [name, path.join(folder, name)])];
  const inPlace = { development: true, developmentBuilds: Object.fromEntries(folders), shellFolder };
  const { HOST: host } = settings.all;
  const releasesFolder = path.join(folder, 'releases');
  const server = await startShellServer(
    { ...inPlace, port, host, releasesFolder, shellVariables: settings.shell },
    site,
  );
  started.defer(async () => {
    console.log('\nStopping …');
    await stopChild(server.child);
  });
  console.log(`\n  ${remote} runs at ${server.url}`);
  console.log(`  shell, API${others.map(({ name }) => `, ${name}`).join('')}: from ${site}`);
  console.log('  stop it with Ctrl-C\n');
  return { broken: ended('shell server', server.child) };
}

/** `npm run dev`: runs the site, or one remote in it; rebuilds and reloads it after each change. */
export const develop = (named: string | undefined, options: { readonly site?: string }): Promise<never> =>
  runCommand(
    async (started) => {
      const { remote, site } = resolveDevelopment(named, options, caller);
      if (!site) expectNoLocalSite(remote);
      const port = await requestedPort();
      if (remote) await build(console.log, [remote]);
      const running =
        remote && site ? await runInSite(started, port, remote, site) : await runHere(started, port, remote);
      const watched = remote ? [remote] : builtWorkspaces;
      for (const workspace of watched) watch(started, workspace);
      console.log(`  Watching ${watched.join(', ')} for changes.\n`);
      if (!remote) console.log('  All components: /_components\n');
      throw new CommandError(await running.broken);
    },
    { untilStopped: true },
  );

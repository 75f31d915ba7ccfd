import { readFileSync } from 'node:fs';
import path from 'node:path';
import { GitError, revision } from '@daybook/build/git';
import { CommandError } from '@daybook/server/command-line';
import { builtRelease } from '@daybook/testing/builds';
import { createBackendRole, createShellRole } from '@daybook/testing/database-roles';
import { isPortFree } from '@daybook/testing/ports';
import { startPostgres } from '@daybook/testing/postgres';
import { publishRelease } from '@daybook/testing/publishing';
import { migrate, type RunningSite, type SiteOptions, startSite } from '@daybook/testing/site';
import { type Tokens, tokenFileIn } from '@daybook/testing/tokens';
import { buildFolder, remotes, root } from '@daybook/testing/workspaces';
import { build } from './build.ts';
import { caller } from './environment.ts';
import {
  announceLocalSite,
  auditKey,
  callingFolder,
  cookieSecret,
  dataFolder,
  expectNoLocalSite,
  localTokens,
  metricsToken,
  postgresFolder,
  releasesFolder,
} from './local-site.ts';
import { readSite } from './published-site.ts';
import { runCommand } from './run-command.ts';
import { readSiteSettings, type SiteSettings } from './site-settings.ts';

/** Returns the port of `PORT`, or 8080; throws if it is in use. */
export async function requestedPort(): Promise<number> {
  const { PORT } = caller;
  const port = Number(PORT || 8080);
  if (!(port >= 1 && port <= 65_535)) throw new CommandError(`PORT is “${PORT}”; it must be a number from 1 to 65535.`);
  if (await isPortFree(port)) return port;
  throw new CommandError(`Port ${port} is in use. Stop what listens there, or choose another port: PORT=${port + 1}`);
}

/** Migrates the database of `DATABASE_URL`, or an embedded one in `.data`; returns its addresses by role. */
async function prepareDatabase(started: AsyncDisposableStack, settings: SiteSettings['all']) {
  const { DATABASE_URL: url, RELEASES_DATABASE_URL } = settings;
  try {
    if (url) {
      await migrate(url);
      const broken = new Promise<string>(() => undefined);
      return { url, backendUrl: url, releasesUrl: RELEASES_DATABASE_URL ?? url, broken };
    }
    const postgres = await startPostgres({ folder: postgresFolder, persistent: true });
    started.defer(() => postgres.stop());
    const backendUrl = await createBackendRole(postgres.url);
    const releasesUrl = await createShellRole(postgres.url);
    await migrate(postgres.url);
    const broken = postgres.ended.then(() => 'The database exited unexpectedly.');
    return { url: postgres.url, backendUrl, releasesUrl, broken };
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** Returns the version and the commit that both servers report; images have them from their build. */
function versionVariables(): Readonly<Record<string, string>> {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  try {
    return { VERSION: version, REVISION: revision(root) };
  } catch (error) {
    // Without git or a repository, as in a downloaded archive, the servers report an unknown one.
    if (error instanceof GitError) return { VERSION: version };
    throw error;
  }
}

/** Starts the assembled site; publishes the builds of these remotes if the site has no release of them. */
export async function runSite(
  started: AsyncDisposableStack,
  options: Pick<SiteOptions, 'port' | 'developmentBuilds' | 'development'>,
  settings: SiteSettings,
  firstReleases: readonly string[] = remotes,
): Promise<RunningSite> {
  // Tokens that the environment names belong to another installation.
  const tokens = settings.all.TOKENS_FILE ? undefined : localTokens();
  console.log('Starting the database …');
  const database = await prepareDatabase(started, settings.all);
  console.log('Starting backend and shell server …');
  const versions = versionVariables();
  const site = await startSite({
    ...options,
    ...(tokens ? { tokensFile: tokens.file } : {}),
    backendVariables: { ...settings.backend, ...versions, AUDIT_KEY: settings.all.AUDIT_KEY ?? auditKey() },
    shellVariables: { ...settings.shell, ...versions },
    host: settings.all.HOST,
    databaseUrl: database.backendUrl,
    releasesDatabaseUrl: database.releasesUrl,
    cookieSecret: settings.all.COOKIE_SECRET ?? cookieSecret(),
    metricsToken: settings.all.METRICS_TOKEN ?? metricsToken(),
    releasesFolder,
  });
  started.defer(async () => {
    console.log('\nStopping …');
    await site.stop();
  });
  if (tokens) await publishFirstReleases(site.url, tokens, firstReleases);
  console.log(`\n  Daybook runs at ${site.url}\n`);
  const tokenFile = tokens ? path.relative(callingFolder, tokenFileIn(dataFolder)) : 'one of TOKENS_FILE';
  console.log(`  releases  ${site.url}/_releases, with the token in ${tokenFile} as password`);
  console.log(`  API docs  ${site.url}/api/docs`);
  if (!settings.all.DATABASE_URL) console.log(`  database  psql ${database.url}`);
  console.log('  stop it with Ctrl-C\n');
  return { ...site, broken: Promise.race([site.broken, database.broken]) };
}

/** Publishes what the site has no release of, as on a fresh clone. Names other builds that differ from the active release. */
async function publishFirstReleases(site: string, tokens: Tokens, names: readonly string[]): Promise<void> {
  const { active, missing } = await readSite(site);
  const needed = names.filter((name) => missing.includes(name));
  if (needed.length > 0) await build(console.log, needed);
  for (const name of needed) {
    const { lines } = await publishRelease(site, tokens, buildFolder(name));
    console.log(`  ${lines.join(' ')}`);
  }
  for (const { name, version } of active)
    if (names.includes(name) && builtRelease(name).version !== version)
      console.log(
        `  ${name}: the sources differ from the active release, ${version}; to publish them: npm run release ${name}`,
      );
}

/** `npm start`: builds what is stale, then runs the assembled site until Ctrl-C or SIGTERM. */
export const start = (): Promise<never> =>
  runCommand(
    async (started) => {
      const settings = readSiteSettings(caller);
      expectNoLocalSite();
      const port = await requestedPort();
      await build(console.log);
      const site = await runSite(started, { port }, settings);
      started.defer(announceLocalSite({ url: site.url, port, pid: process.pid }));
      throw new CommandError(await site.broken);
    },
    { untilStopped: true },
  );

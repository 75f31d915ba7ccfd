import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { signRelease } from '@daybook/releases';
import { openSigner, publish, readCandidate, readOffered } from '@daybook/releases/publish';
import { CommandError } from '@daybook/server';
import { createBackendRole, createShellRole } from '@daybook/testing/database-roles';
import { isPortFree } from '@daybook/testing/ports';
import { startPostgres } from '@daybook/testing/postgres';
import { migrate, type RunningSite, type SiteOptions, startSite } from '@daybook/testing/site';
import { buildFolder, remotes, root } from '@daybook/testing/workspaces';
import { build } from './build.ts';
import {
  auditKey,
  callingFolder,
  cookieSecret,
  keyFile,
  loadSecretFiles,
  localOrigins,
  metricsToken,
  operatorToken,
  originFolder,
  postgresFolder,
  releasesFolder,
} from './data-folder.ts';
import { forgetSite, recordSite } from './recorded-site.ts';
import { runCommand } from './run-command.ts';

/** Returns the port of `PORT`, or 8080; throws if it is in use. */
export async function requestedPort(): Promise<number> {
  const text = process.env.PORT || '8080';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new CommandError(`PORT is “${text}”; it must be a number from 1 to 65535.`);
  if (!(await isPortFree(port))) {
    throw new CommandError(
      `Port ${port} is in use. Stop what listens there, or choose another port: PORT=${port === 65_535 ? port - 1 : port + 1}`,
    );
  }
  return port;
}

/** In ms; publishing copies a few files on one disk. */
const publishTimeout = 60_000;

interface Database {
  /** Address with the owner of its tables. */
  readonly url: string;
  /** Address with the role of the backend, which owns nothing; of an external database the same. */
  readonly backendUrl: string;
  /** Address with the role of the shell server; of an external database that of `RELEASES_DATABASE_URL`, or the same. */
  readonly releasesUrl: string;
  /** Resolves with a reason if the database exits unexpectedly; never resolves for an external database. */
  readonly broken: Promise<string>;
}

/** Migrates the database of `DATABASE_URL`, or an embedded one in `.data`. */
async function prepareDatabase(started: AsyncDisposableStack): Promise<Database> {
  try {
    if (process.env.DATABASE_URL) {
      await migrate(process.env.DATABASE_URL);
      const url = process.env.DATABASE_URL;
      const releasesUrl = process.env.RELEASES_DATABASE_URL || url;
      return { url, backendUrl: url, releasesUrl, broken: new Promise(() => undefined) };
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
  const git = spawnSync('git', ['describe', '--always', '--exclude=*', '--abbrev=40', '--dirty'], { cwd: root });
  // Without git or a repository, as in a downloaded archive, the servers report an unknown one.
  const revision = git.status === 0 ? { REVISION: git.stdout.toString().trim() } : {};
  return { VERSION: version, ...revision };
}

/**
 * Starts the assembled site from the existing builds and prints its address.
 *
 * @param started stops the site when it is disposed
 */
export async function runSite(
  started: AsyncDisposableStack,
  options: Pick<SiteOptions, 'port' | 'remotes' | 'development' | 'shellVariables'>,
): Promise<RunningSite> {
  loadSecretFiles();
  console.log('Starting the database …');
  const database = await prepareDatabase(started);
  console.log('Starting backend and shell server …');
  const versions = versionVariables();
  const site = await startSite({
    ...options,
    backendVariables: { ...versions, AUDIT_KEY: auditKey() },
    shellVariables: { ...versions, ...options.shellVariables },
    databaseUrl: database.backendUrl,
    releasesDatabaseUrl: database.releasesUrl,
    cookieSecret: cookieSecret(),
    operatorToken: operatorToken(),
    metricsToken: metricsToken(),
    releasesFolder,
  });
  started.defer(async () => {
    console.log('\nStopping …');
    await site.stop();
  });
  console.log(`\n  Daybook runs at ${site.address}\n`);
  if (!process.env.DATABASE_URL) console.log(`  database  psql ${database.url}`);
  console.log(`  API docs  ${site.address}/api/docs`);
  console.log('  stop it with Ctrl-C\n');
  return { ...site, broken: Promise.race([site.broken, database.broken]) };
}

/** Opens the key of a remote's team; makes it if it is missing, and says so. */
const ownSigner = (remote: string) =>
  openSigner({}, keyFile(remote), (file) =>
    console.log(`Made a key pair that signs the releases of ${remote}: ${path.relative(callingFolder, file)}`),
  );

/**
 * Publishes the build of each remote whose origin is empty, as on a fresh clone. Names the others whose sources differ
 * from the release at their origin.
 */
async function publishFirstReleases(): Promise<void> {
  // Somebody else's origins.
  if (process.env.REMOTES) return;
  for (const remote of remotes) {
    const origin = originFolder(remote);
    const build = readCandidate(buildFolder(remote));
    const released = (await readOffered(origin, remote))?.release.version;
    if (released === undefined) {
      const signed = await signRelease(build.text, remote, ownSigner(remote));
      await publish(build, signed, origin, AbortSignal.timeout(publishTimeout));
      console.log(`  ${remote}: published the first release, ${build.release.version}`);
    } else if (released !== build.release.version)
      console.log(
        `  ${remote}: sources differ from the release at its origin, ${released}; to publish them: npm run release -w ${remote}`,
      );
  }
}

/** Returns the shell server's `TRUSTED_KEYS` for the local origins, unless it is set; makes missing key pairs. */
function localKeys(): Readonly<Record<string, string>> {
  if (process.env.REMOTES || process.env.TRUSTED_KEYS || process.env.TRUSTED_KEYS_FILE) return {};
  return { TRUSTED_KEYS: remotes.map((remote) => `${remote}:${ownSigner(remote).publicKey}`).join(',') };
}

/** `npm start`: builds what is stale, then runs the assembled site until Ctrl-C or SIGTERM. */
export const start = (): Promise<never> =>
  runCommand(
    async (started) => {
      const port = await requestedPort();
      await build(console.log);
      const shellVariables = localKeys();
      await publishFirstReleases();
      const site = await runSite(started, { port, remotes: localOrigins(), shellVariables });
      const record = { address: site.address, port, pid: process.pid, releasesFolder };
      recordSite(record);
      started.defer(() => forgetSite(record));
      throw new CommandError(await site.broken);
    },
    { untilStopped: true },
  );

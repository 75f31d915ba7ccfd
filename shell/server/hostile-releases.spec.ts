import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { createReleasesProgram, openReleases } from '@daybook/releases/server';
import { runProgram } from '@daybook/server';
import { eventually } from '@daybook/testing/eventually';
import { heavyFaults, signedOf } from '@daybook/testing/faults';
import { OriginServer, servedOf } from '@daybook/testing/origin-server';
import type { ReleaseVariant } from '@daybook/testing/releases';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/testing/releases-database';
import { untilMirrored } from '@daybook/testing/site';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { versionOf } from '../../packages/releases/src/test/release-folder.ts';
import { newSigner } from '../../packages/releases/src/test/signers.ts';
import {
  createTemporarySite,
  describeFile,
  releaseOf,
  routeOf,
  type TemporarySite,
} from '../../packages/releases/src/test/temporary-site.ts';
import { textTerminal } from '../../packages/releases/src/test/text-terminal.ts';

// The real server in its own process. Whatever one remote's origin offers, the server responds, the good release and
// the other remotes are served, and `releases list` lists the rejection. packages/releases/test/faults.spec.ts offers all
// faults to a mirror; here are those that a server must not spend its time on, and what a restart must keep.

/** What the server may work before it answers, in ms, whatever it checks. */
const healthLimit = 200;
const hour = 3_600_000;

/** Returns a release of mf-legal with one page. */
function variantOf(number: number): ReleaseVariant {
  const version = versionOf(number);
  const [entry, fragment] = [`entry.${version.slice(-8)}.js`, 'fragments/terms.html'];
  const files = new Map([
    [entry, Buffer.from(version)],
    [fragment, Buffer.from('<h1>Terms</h1>')],
  ]);
  const described = Object.fromEntries([...files].map(([name, content]) => [name, describeFile(content)]));
  const routes = [routeOf('/terms', { fragment })];
  return { release: releaseOf('mf-legal', { version, entry, routes, files: described }), files };
}

const [past, good, broken] = [variantOf(1), variantOf(2), variantOf(3)];
const [signed, next] = [variantOf(4), variantOf(5)];
const [team, otherTeam, signedAt] = [newSigner(), newSigner(), Date.now() - 2 * hour];

const origin = new OriginServer();
let site: TemporarySite;
let server: ChildProcess;
let address: string;
let database: ReleasesDatabase;
/** Of the shell server and of the command. */
let variables: Readonly<Record<'REMOTES' | 'RELEASES_DATABASE_URL', string>>;

async function startServer(keys: string): Promise<void> {
  server = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), site.shellFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      BACKEND_URL: 'http://127.0.0.1:9',
      RELEASES_FOLDER: path.join(site.folder, 'releases'),
      ...variables,
      RELEASES_INTERVAL: '0.05',
      TRUSTED_KEYS: keys,
    },
  });
  const lines = createInterface({ input: server.stdout ?? ([] as never) });
  address = await new Promise((resolve) => {
    // Read to its end, so that the server never waits for a reader.
    lines.on('line', (line) => {
      const [, found] = /listens on (http:\S+\d)/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
}

async function stopServer(): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

beforeAll(async () => {
  database = await startReleasesDatabase();
  site = createTemporarySite();
  site.release(releaseOf('mf-signup'));
  origin.served = servedOf(good);
  await origin.start();
  variables = {
    REMOTES: `mf-legal=${origin.address},mf-signup=file:${site.folderOf('mf-signup')}`,
    RELEASES_DATABASE_URL: database.shellUrl,
  };
  await startServer('none');
  await untilMirrored(address);
});

afterAll(async () => {
  await stopServer();
  await origin.stop();
  site.remove();
  await database.stop();
});

const listed = async () => {
  const { terminal, output, errors } = textTerminal();
  const program = createReleasesProgram(() => openReleases(variables), terminal);
  // With the errors of a command that fails.
  await runProgram(program, ['list'], terminal);
  return output() + errors();
};

/** Processor time of the server's main thread so far, in ms; the elapsed time where there is no Linux to tell. */
function mainThreadTime(): number {
  try {
    return Number(readFileSync(`/proc/${server.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
  } catch {
    return performance.now();
  }
}

/**
 * Returns how long the main thread worked before it answered, in ms: the max until a promise settles. Other work of the
 * machine does not count. Infinite if a request failed or took five seconds.
 */
async function slowestHealth(isOver: () => boolean): Promise<number> {
  let slowest = 0;
  do {
    const before = mainThreadTime();
    const response = fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5_000) });
    const status = await response.then((each) => each.text().then(() => each.status)).catch(() => 'no response');
    slowest = Math.max(slowest, mainThreadTime() - before);
    if (status !== 200) return Number.POSITIVE_INFINITY;
    // Less than a slow request, so that the measurement leaves processor time to the server.
    await delay(healthLimit / 10);
  } while (!isOver());
  return slowest;
}

const textOf = async (page: string) => (await fetch(address + page, { signal: AbortSignal.timeout(5_000) })).text();

/** Expects `releases list` to have the rejection of what an origin offers, and the site to respond all the time. */
async function expectRejection(reason: string, message: RegExp, { release: { version } } = good): Promise<void> {
  let over = false;
  const health = slowestHealth(() => over);
  try {
    await eventually(async () => {
      // Composing a page may be what blocks the server.
      await textOf('/terms');
      const [, rejection = ''] = new RegExp(`! ${reason}, [^:]*: (.*) \\(http`).exec(await listed()) ?? [];
      expect(rejection).toMatch(message);
    });
    expect(await textOf('/terms')).toContain(`data-remote="mf-legal@${version}"><h1>Terms</h1>`);
    expect(await textOf('/mf-signup')).toContain('mf-signup');
    expect(await listed()).toMatch(new RegExp(`^mf-legal +${version}`, 'm'));
  } finally {
    over = true;
    expect(await health).toBeLessThan(healthLimit);
  }
}

describe('the site keeps running and the rejection is listed:', () => {
  afterEach(async () => {
    origin.served = servedOf(good);
    await eventually(async () => expect(await listed()).not.toContain('!'));
  });

  test.each(heavyFaults)('$name', async ({ reason, message, make }) => {
    origin.served = make(broken, { active: good.release, other: releaseOf('mf-signup') });
    await expectRejection(reason, message);
  });
});

test('a release of another team or of the past is rejected, the latter also after a restart, and a new one of the team is activated', async () => {
  const restart = async () => {
    await stopServer();
    await startServer(`mf-legal:${team.publicKey},mf-later:${otherTeam.publicKey},mf-signup:none`);
  };
  const untilActive = ({ release: { version } }: ReleaseVariant) =>
    eventually(async () => expect(await listed()).toMatch(new RegExp(`^mf-legal +${version}`, 'm')));
  await restart();
  origin.served = await signedOf(signed, team, signedAt);
  await untilActive(signed);
  origin.served = await signedOf(next, otherTeam, Date.now());
  await expectRejection('signature', /a key that is not one of mf-legal's/, signed);
  origin.served = await signedOf(past, team, signedAt - hour);
  await expectRejection('signature', /is older than that of/, signed);
  await restart();
  await expectRejection('signature', /is older than that of/, signed);
  origin.served = await signedOf(next, team, Date.now());
  await untilActive(next);
  await eventually(async () => expect(await listed()).not.toContain('!'));
});

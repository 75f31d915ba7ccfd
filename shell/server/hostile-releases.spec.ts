import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Release } from '@daybook/contract/release';
import { templateTexts } from '@daybook/releases';
import { createReleasesProgram, openReleases } from '@daybook/releases/server';
import { runProgram } from '@daybook/server';
import { eventually } from '@daybook/testing/eventually';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/testing/releases-database';
import { untilMirrored } from '@daybook/testing/site';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { versionOf } from '../../packages/releases/src/test/release-folder.ts';
import {
  createTemporarySite,
  describeFile,
  releaseOf,
  routeOf,
  type TemporarySite,
} from '../../packages/releases/src/test/temporary-site.ts';
import { textTerminal } from '../../packages/releases/src/test/text-terminal.ts';

// The real server in its own process. Whatever one remote's origin offers, the server responds, the good release and
// the other remotes are served, and `releases list` lists the rejection.

/** What the server may work before it answers, in ms, whatever it checks. */
const healthLimit = 200;

type File = Buffer | ((response: ServerResponse) => unknown);
interface Offer {
  readonly description: string;
  readonly files: Readonly<Record<string, File>>;
}

const [good, next] = [versionOf(1), versionOf(2)];
const entry = 'entry.00000001.js';
const fragment = 'fragments/terms.00000001.html';
const contents = { [entry]: Buffer.from('entry'), [fragment]: Buffer.from('<h1>Terms</h1>') };

/** A release with these files beside its entry and fragment; `changes` are made to its description. */
function offerOf(version: string, files: Readonly<Record<string, File>> = {}, changes: object = {}): Offer {
  const all = { ...contents, ...files };
  const described: Release['files'] = Object.fromEntries(
    Object.entries(all).map(([name, file]) => [name, describeFile(Buffer.isBuffer(file) ? file : Buffer.from('x'))]),
  );
  const release = releaseOf('mf-legal', {
    version,
    entry,
    routes: [routeOf('/terms', { fragment })],
    files: described,
  });
  return { description: JSON.stringify({ ...release, ...changes }), files: all };
}

const withFragment = (html: string | Buffer) => offerOf(next, { [fragment]: Buffer.from(html) });
const withRoutes = (routes: unknown) => offerOf(next, {}, { routes });
const withRoute = (changes: object) => withRoutes([{ ...routeOf('/terms', { fragment }), ...changes }]);

let site: TemporarySite;
let offered: Offer;
let origin: Server;
let server: ChildProcess;
let address: string;
let database: ReleasesDatabase;
/** Of the shell server and of the command. */
let variables: Readonly<Record<'REMOTES' | 'RELEASES_DATABASE_URL', string>>;

beforeAll(async () => {
  database = await startReleasesDatabase();
  site = createTemporarySite();
  site.release(releaseOf('mf-signup'));
  site.release(releaseOf('mf-offers'));
  offered = offerOf(good);
  origin = createServer((request, response) => {
    const name = String(request.url).slice(1);
    const file = name === 'release.json' ? Buffer.from(offered.description) : offered.files[name];
    if (typeof file === 'function') file(response);
    else response.writeHead(file ? 200 : 404).end(file);
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const originAddress = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const ofFolder = (name: string) => `${name}=file:${site.folderOf(name)}`;
  variables = {
    REMOTES: [`mf-legal=${originAddress}`, ofFolder('mf-signup'), ofFolder('mf-offers')].join(','),
    RELEASES_DATABASE_URL: database.shellUrl,
  };
  server = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), site.shellFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PORT: '0',
      HOST: '127.0.0.1',
      BACKEND_URL: 'http://127.0.0.1:9',
      RELEASES_FOLDER: path.join(site.folder, 'releases'),
      ...variables,
      RELEASES_INTERVAL: '0.05',
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
  await untilMirrored(address);
});

afterAll(async () => {
  server.kill('SIGKILL');
  origin.closeAllConnections();
  origin.close();
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

afterEach(async () => {
  offered = offerOf(good);
  // Including the symlinks of a test.
  rmSync(site.folderOf('mf-offers'), { recursive: true, force: true });
  site.release(releaseOf('mf-offers'));
  await eventually(async () => expect(await listed()).not.toContain('!'));
});

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

/** Offers a release until `releases list` has the reason of its rejection, and expects the site to respond all the time. */
async function expectRejection(offer: () => unknown, rejection: RegExp): Promise<void> {
  await offer();
  let over = false;
  const health = slowestHealth(() => over);
  try {
    await eventually(async () => {
      // Composing a page may be what blocks the server.
      await textOf('/terms');
      expect(await listed()).toMatch(rejection);
    });
    expect(await textOf('/terms')).toContain(`data-remote="mf-legal@${good}"><h1>Terms</h1>`);
    expect(await textOf('/mf-signup')).toContain('mf-signup');
    expect(await listed()).toMatch(new RegExp(`^mf-legal +${good}`, 'm'));
  } finally {
    over = true;
    expect(await health).toBeLessThan(healthLimit);
  }
}

describe('the site keeps running and the rejection is listed if a release has', () => {
  const bomb = gzipSync(Buffer.alloc(30_000_000));
  const manyFolders = Object.fromEntries(Array.from({ length: 200 }, (_, each) => [`f${each}/a.js`, Buffer.from('a')]));

  const cases: [string, Offer, RegExp][] = [
    ['a fragment of 990 kB of <a>', withFragment('<a>'.repeat(330_000)), /! fragment, .* more than/],
    ['a fragment of nested elements', withFragment('<p><b>'.repeat(160_000)), /! fragment, .* more than/],
    [
      'a fragment of many attributes',
      withFragment(`<p ${attributes(120_000)}></p>`),
      /! fragment, .* more than (?:2 s|100 attributes)/,
    ],
    [
      'a fragment with too many end tags',
      withFragment(`<p>text</p>${'</div>'.repeat(150_000)}`),
      /! fragment, .*“<\/div>/,
    ],
    ['a page with texts of the template', withFragment(`<p>${templateTexts[1]}</p>`), /! fragment, .* is not finished/],
    ['a description of the template', withRoute({ description: templateTexts[0] }), /! malformed, .* is not finished/],
    [
      'thousands of files for one route',
      withRoute({ files: Array(10_000).fill(entry) }),
      /! too-large, .* 10000 files for one route/,
    ],
    ['routes that are numbers', withRoutes(Array(140_000).fill(0)), /! too-large, .* 140000 routes/],
    ['files that are numbers', offerOf(next, {}, { files: numbers(20_000) }), /! too-large, .* 20000 files/],
    [
      'a release.json that is too large',
      withRoute({ title: 'a'.repeat(2_000_000) }),
      /! answer, .* larger than 300000 bytes/,
    ],
    [
      'a release.json of brackets',
      { ...offerOf(next), description: '['.repeat(149_000) + ']'.repeat(149_000) },
      /! malformed/,
    ],
    [
      'a title of 290 kB',
      withRoute({ title: '<!--'.repeat(70_000) }),
      /! malformed, .* must have 200 characters or fewer/,
    ],
    [
      'a path of 290 kB',
      withRoute({ path: `${'/a'.repeat(140_000)}!` }),
      /! malformed, .* must have 200 characters or fewer/,
    ],
    [
      'an entry of 290 kB',
      offerOf(next, {}, { entry: 'a'.repeat(280_000) }),
      /! incomplete, .* its entry aaa.{400,600}$/m,
    ],
    ['files in many folders', offerOf(next, manyFolders), /! malformed, .* 20[01] folders/],
    ['a file that is longer than stated', offerOf(next, { 'a.js': endless }), /! tampered, .* more than the 1 bytes/],
    [
      'a compressed file that is a zip bomb',
      offerOf(next, { 'a.js': Buffer.from('a'), 'a.js.gz': bomb }),
      /! tampered, .* is not its file a.js compressed/,
    ],
  ];

  test.each(cases)('%s', async (_what, offer, rejection) => {
    await expectRejection(() => {
      offered = offer;
    }, rejection);
  });
});

describe('the site keeps running and the failure is listed if a folder has', () => {
  const inFolder = (name: string) => path.join(site.folderOf('mf-offers'), name);

  test.each([
    ['a release.json that is a symlink to itself', 'release.json', 'release.json', /! unreachable, .*ELOOP/],
    [
      'a file that is a symlink to a device',
      'remoteEntry.00000002.js',
      '/dev/zero',
      /! answer, .* leads out of its folder/,
    ],
  ])('%s', async (_what, file, target, failure) => {
    await expectRejection(() => {
      const newer = { 'remoteEntry.00000002.js': describeFile(Buffer.alloc(7)) };
      site.release(releaseOf('mf-offers', { version: next, entry: 'remoteEntry.00000002.js', files: newer }));
      rmSync(inFolder(file));
      symlinkSync(target, inFolder(file));
    }, failure);
  });
});

function attributes(count: number): string {
  return Array.from({ length: count }, (_, each) => `a${each}`).join(' ');
}

function numbers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, each) => [each, 0]));
}

function endless(response: ServerResponse): void {
  const write = () => {
    while (!response.destroyed && response.write(Buffer.alloc(60_000)));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
}

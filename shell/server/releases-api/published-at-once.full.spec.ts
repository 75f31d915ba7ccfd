import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { contractVersion, type Release } from '@daybook/contract/release';
import { SiteClient, SiteError } from '@daybook/releases/publish';
import { stopChild } from '@daybook/runner/processes';
import { pushRelease } from '@daybook/runner/pushing';
import { fileEntry, type ReleaseVariant } from '@daybook/runner/releases';
import { startReleasesDatabase } from '@daybook/runner/releases-database';
import { startShellServer } from '@daybook/runner/site';
import { openTeamKeys, type TeamKeyPairs } from '@daybook/runner/team-keys';
import { remotes } from '@daybook/runner/workspaces';
import { randomFrom } from '@daybook/testing/random';
import { createTemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// Two members of a team publish at once, at any distance in time, and are killed at any moment. The teams do so at the same
// time: after a lost connection a client waits for seconds, because the server takes two uploads of a team at once.

/** Of each team; `SEED` repeats a run. */
const rounds = Number(process.env.ROUNDS) || 50;

let database: Awaited<ReturnType<typeof startReleasesDatabase>>;
let url: string;
let keys: TeamKeyPairs;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  const site = createTemporaryBuilds();
  started.defer(() => site.remove());
  keys = openTeamKeys(site.folder);
  database = await startReleasesDatabase();
  started.defer(() => database.stop());
  const server = await startShellServer({
    releasesFolder: `${site.folder}/releases`,
    releasesDatabaseUrl: database.shellUrl,
    teamKeysFile: keys.file,
    shellFolder: site.shellFolder,
    shellVariables: { LOG_LEVEL: 'fatal' },
  });
  started.defer(() => stopChild(server.child));
  url = server.url;
});
afterAll(() => started.disposeAsync());

/** A small release; its files take several packets. */
function releaseNumbered(remote: string, number: number): ReleaseVariant {
  const version = `1.0.${number}-${number.toString(16).padStart(8, '0')}`;
  const [entry, style, fragment] = ['entry.js', 'page.css', 'page.html'];
  const files = new Map([
    [entry, Buffer.from(`globalThis['${remote}@${version}'] = {};`)],
    [style, Buffer.from(`/* ${version} */ ${'p { color: red } '.repeat(5_000)}`)],
    [fragment, Buffer.from(`<h1>${version}</h1>`)],
  ]);
  const described = Object.fromEntries([...files].map(([name, content]) => [name, fileEntry(content)]));
  const page = {
    path: `/${remote}`,
    title: 'Terms',
    description: 'What applies.',
    frame: 'site',
    files: [style],
    fragment,
  };
  const manifest = { contract: contractVersion, designSystem: null, entry, files: described, routes: [page] };
  return { release: { name: remote, version, ...manifest } as Release, files };
}

/** A client's connections to the server; cutting them is what the server sees of a killed client, or a lost network. */
class Line {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    const { port } = new URL(url);
    this.#server = createServer((from) => {
      const to = connect(Number(port), 'localhost');
      for (const [one, other] of [
        [from, to],
        [to, from],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => undefined).once('close', () => other.destroy());
        one.pipe(other);
      }
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts all connections; later ones succeed unless the line is closed. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}

type Fate = 'is left alone' | 'loses a connection' | 'is killed';

/** Publishes a release after a delay. Returns the response; `undefined` if none came. */
async function publish(variant: ReleaseVariant, after: number, fate: Fate, until: number) {
  const line = new Line();
  const site = await line.open();
  await delay(after);
  const pushed = pushRelease(site, keys, variant, '', url).catch((error: unknown) => {
    if (error instanceof SiteError && error.status === undefined) return undefined;
    throw error;
  });
  if (fate !== 'is left alone') {
    await Promise.race([pushed, delay(until)]);
    if (fate === 'is killed') line.close();
    else line.cut();
  }
  return await pushed.finally(() => line.close());
}

interface Overview {
  readonly active?: string;
  readonly stored: readonly { readonly version: string }[];
  readonly deployments: readonly { readonly number: number; readonly version?: string }[];
}

/** Returns the state of a remote, as its team sees it. */
const read = (remote: string) =>
  new SiteClient(url, { signer: keys.signerOf(remote) }).read(remote) as Promise<Overview>;

/** Expects that the site serves every file of a release. */
async function expectWhole({ release, files }: ReleaseVariant, what: string): Promise<void> {
  const folder = `${url}/remotes/${release.name}/${release.version}`;
  for (const [name, content] of files) {
    const response = await fetch(`${folder}/${name}`);
    const isSame = response.ok && content.equals(Buffer.from(await response.arrayBuffer()));
    expect({ what, name, status: response.status, isSame }).toEqual({ what, name, status: 200, isSame: true });
  }
}

/** Numbers of responses, and of releases that were stored without one. */
type Seen = Record<'acknowledged' | 'unacknowledged' | 'storedAnyway', number>;

/**
 * Lets two members of a team publish at once.
 *
 * @param runTime the unit of all moments, in ms: a fixed one would fit one machine
 * @param what names the round in messages
 */
async function publishTwice(
  remote: string,
  round: number,
  runTime: number,
  random: () => number,
  seen: Seen,
  what: string,
) {
  const fates: readonly Fate[] = ['is left alone', 'is left alone', 'loses a connection', 'is killed'];
  const variants = [releaseNumbered(remote, 2 * round - 1), releaseNumbered(remote, 2 * round)];
  const responses = await Promise.all(
    variants.map((variant) => {
      const fate = fates[Math.floor(random() * fates.length)] ?? 'is killed';
      return publish(variant, random() * runTime, fate, random() * 1.2 * runTime);
    }),
  );
  const { active, stored, deployments } = await read(remote);
  for (const [index, variant] of variants.entries()) {
    const { version } = variant.release;
    const each = `${version} in ${what}`;
    const isStored = stored.some((release) => release.version === version);
    const deployment = deployments.find((release) => release.version === version);
    const response = responses[index];
    if (response) {
      seen.acknowledged += 1;
      expect({ each, isStored, deployed: deployment?.number }).toEqual({
        each,
        isStored: true,
        deployed: expect.any(Number),
      });
    } else seen.unacknowledged += 1;
    expect({ each, isDeployed: deployment !== undefined }).toEqual({ each, isDeployed: isStored });
    if (isStored) await expectWhole(variant, each);
    if (isStored && !response) seen.storedAnyway += 1;
  }
  expect(active).toBe(deployments.toSorted((one, other) => other.number - one.number)[0]?.version);
  // The limit of uploads an hour is for people.
  await database.query('DELETE FROM releases.upload WHERE remote = $1', [remote]);
}

test(`of two publishes at once, in ${rounds} rounds of each team with lost connections and killed clients, both are stored whole or not at all, and each response is true`, async () => {
  const seed = Number(process.env.SEED) || Date.now() % 1_000_000;
  const begun = performance.now();
  await Promise.all(remotes.map((remote) => pushRelease(url, keys, releaseNumbered(remote, 0))));
  const runTime = performance.now() - begun;
  const seen: Seen = { acknowledged: 0, unacknowledged: 0, storedAnyway: 0 };
  await Promise.all(
    remotes.map(async (remote, index) => {
      const random = randomFrom(seed + index);
      for (let round = 1; round <= rounds; round += 1)
        await publishTwice(remote, round, runTime, random, seen, `round ${round} of ${remote}, seed ${seed}`);
    }),
  );
  // Every kind of round was seen.
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  // A busy machine takes twenty times longer.
}, 1_800_000);

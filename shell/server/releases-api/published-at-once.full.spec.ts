import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { contractVersion, type Release } from '@daybook/contract/release';
import { SiteClient, SiteError } from '@daybook/releases/publish';
import { stopChild } from '@daybook/runner/processes';
import { pushRelease } from '@daybook/runner/pushing';
import { describeFile, type ReleaseVariant } from '@daybook/runner/releases';
import { startReleasesDatabase } from '@daybook/runner/releases-database';
import { startShellServer } from '@daybook/runner/site';
import { openTeamKeys, type TeamKeyPairs } from '@daybook/runner/team-keys';
import { randomFrom } from '@daybook/testing/random';
import { createTemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

// Two members of a team publish at once, at any distance in time, and are killed at any moment.

const remote = 'mf-legal';
/** `SEED` repeats a run. */
const rounds = Number(process.env.ROUNDS) || 200;

let database: Awaited<ReturnType<typeof startReleasesDatabase>>;
let url: string;
let keys: TeamKeyPairs;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  const site = createTemporaryBuilds();
  started.defer(() => site.remove());
  keys = openTeamKeys(site.folder, [remote]);
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
function releaseNumbered(number: number): ReleaseVariant {
  const version = `1.0.${number}-${number.toString(16).padStart(8, '0')}`;
  const [entry, style, fragment] = ['entry.js', 'page.css', 'page.html'];
  const files = new Map([
    [entry, Buffer.from(`globalThis['${remote}@${version}'] = {};`)],
    [style, Buffer.from(`/* ${version} */ ${'p { color: red } '.repeat(5_000)}`)],
    [fragment, Buffer.from(`<h1>${version}</h1>`)],
  ]);
  const described = Object.fromEntries([...files].map(([name, content]) => [name, describeFile(content)]));
  const page = {
    path: '/terms',
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

/** Returns the state of the remote, as its team sees it. */
const read = () => new SiteClient(url, { signer: keys.signerOf(remote) }).read(remote) as Promise<Overview>;

/** Expects that the site serves every file of a release. */
async function expectWhole({ release, files }: ReleaseVariant, what: string): Promise<void> {
  for (const [name, content] of files) {
    const response = await fetch(`${url}/remotes/${remote}/${release.version}/${name}`);
    const isSame = response.ok && content.equals(Buffer.from(await response.arrayBuffer()));
    expect({ what, name, status: response.status, isSame }).toEqual({ what, name, status: 200, isSame: true });
  }
}

test(`of two publishes at once, in ${rounds} rounds with lost connections and killed clients, both are stored whole or not at all, and each response is true`, async () => {
  const seed = Number(process.env.SEED) || Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const fates: readonly Fate[] = ['is left alone', 'is left alone', 'loses a connection', 'is killed'];
  const begun = performance.now();
  await pushRelease(url, keys, releaseNumbered(0));
  // The unit of all moments: a fixed one in ms would fit one machine.
  const runTime = performance.now() - begun;
  const seen = { acknowledged: 0, unacknowledged: 0, storedAnyway: 0 };
  for (let round = 1; round <= rounds; round += 1) {
    const variants = [releaseNumbered(2 * round - 1), releaseNumbered(2 * round)];
    const responses = await Promise.all(
      variants.map((variant) => {
        const fate = fates[Math.floor(random() * fates.length)] ?? 'is killed';
        return publish(variant, random() * runTime, fate, random() * 1.2 * runTime);
      }),
    );
    const { active, stored, deployments } = await read();
    for (const [index, variant] of variants.entries()) {
      const { version } = variant.release;
      const what = `${version} in round ${round} of seed ${seed}`;
      const isStored = stored.some((each) => each.version === version);
      const deployment = deployments.find((each) => each.version === version);
      const response = responses[index];
      if (response) {
        seen.acknowledged += 1;
        expect({ what, isStored, deployed: deployment?.number }).toEqual({
          what,
          isStored: true,
          deployed: expect.any(Number),
        });
      } else seen.unacknowledged += 1;
      expect({ what, isDeployed: deployment !== undefined }).toEqual({ what, isDeployed: isStored });
      if (isStored) await expectWhole(variant, what);
      if (isStored && !response) seen.storedAnyway += 1;
    }
    expect(active).toBe(deployments.toSorted((one, other) => other.number - one.number)[0]?.version);
    // The limit of uploads an hour is for people.
    await database.query('DELETE FROM releases.upload');
  }
  // Every kind of round was seen.
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  // A busy machine takes twenty times longer.
}, 1_800_000);

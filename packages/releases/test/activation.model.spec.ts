import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/testing/releases-database';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RemoteMirror } from '../src/mirror/remote-mirror.ts';
import { openOrigin } from '../src/origins/open-origin.ts';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';
import type { SiteRegistry } from '../src/registry/release-registry.ts';
import { hashOfToken, newPreviewToken, signPreview } from '../src/signature/signature.ts';
import { type Deployment, runningPreview } from '../src/state/remote-state.ts';
import { MemoryRegistry } from '../src/test/memory-registry.ts';
import {
  createTemporaryReleases,
  type TemporaryReleases,
  versionOf,
  wholeRelease,
} from '../src/test/release-folder.ts';
import { newSigner } from '../src/test/signers.ts';
import { makeTemporaryFolder } from '../src/test/temporary-folder.ts';

// Three servers with a folder each on one registry, with real caches, mirrors and origin, killed between any two steps,
// against a model of a few lines: which release visitors get, and which one is activated automatically.

const remote = 'mf-legal';
const by = { by: 'test' };
const team = newSigner();
const begun = Date.now() - 3_600_000;
const { signal } = new AbortController();

/** Thrown by every call of a killed server. */
class Killed extends Error {
  override readonly name = 'Killed';
}

class Server {
  readonly #registry: SiteRegistry;
  readonly #origin: string;
  #folder: string | undefined;
  #open: { readonly releases: TemporaryReleases; readonly mirror: RemoteMirror } | undefined;
  /** The call of the registry, in half calls from now, at whose beginning or end the server is killed. */
  #killIn = Number.POSITIVE_INFINITY;
  /** Only during a step: the check after it must not kill the server. */
  isActing = false;

  constructor(registry: SiteRegistry, origin: string) {
    this.#registry = registry;
    this.#origin = origin;
  }

  get isDead(): boolean {
    return this.#killIn <= 0;
  }

  get releases(): TemporaryReleases {
    return this.#opened().releases;
  }

  get mirror(): RemoteMirror {
    return this.#opened().mirror;
  }

  killIn(halfCalls: number): void {
    this.#killIn = halfCalls;
  }

  /** Starts it again with its folder, or an empty one. */
  restart(isFolderLost = false): void {
    if (isFolderLost) this.releases.remove();
    this.#open = undefined;
    this.#killIn = Number.POSITIVE_INFINITY;
  }

  #opened() {
    if (this.#open) return this.#open;
    const releases = createTemporaryReleases([remote], this.#interruptible(), this.#folder);
    this.#folder = releases.folder;
    const options = releases.mirrorOptions(openOrigin(`file:${this.#origin}`), { retained: 9 });
    this.#open = { releases, mirror: new RemoteMirror(options) };
    return this.#open;
  }

  #interruptible(): SiteRegistry {
    return new Proxy(this.#registry, {
      get: (registry, name) => {
        const value = Reflect.get(registry, name);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]) => {
          this.#tick();
          const result = await value.apply(registry, parameters);
          this.#tick();
          return result;
        };
      },
    });
  }

  #tick(): void {
    if (this.isActing) this.#killIn -= 1;
    if (this.isDead) throw new Killed();
  }
}

class Site {
  readonly #origin = makeTemporaryFolder();
  readonly servers: readonly Server[];
  /** What the origin offers. */
  offered = '';
  offeredPreview: { readonly version: string; readonly hash: string } | undefined;
  #previews = 0;
  /** The log so far, and what follows from it. */
  log: readonly Deployment[] = [];
  expected: { active?: string; canary?: string | undefined; isHeld: boolean; preview?: string | undefined } = {
    isHeld: false,
  };
  /** Activated or offered before: its origin changes nothing any more. */
  readonly deployed = new Set<string>();

  constructor(registry: () => SiteRegistry) {
    this.servers = [1, 2, 3].map(() => new Server(registry(), this.#origin));
    this.offer(versionOf(1));
  }

  offer(version: string): void {
    this.offered = version;
    this.#write('release.json', version, JSON.stringify(wholeRelease(remote, version)));
  }

  /** Offers a preview beside the release; the later ones end later. */
  async offerPreview(version: string): Promise<void> {
    const hash = hashOfToken(newPreviewToken());
    this.#previews += 1;
    const text = JSON.stringify(wholeRelease(remote, version));
    const signed = await signPreview(text, remote, hash, team, begun + this.#previews * 1_000);
    this.offeredPreview = { version, hash };
    this.#write('preview.jws', version, signed);
  }

  /** By renames: two writes may have the same modification time. */
  #write(description: string, version: string, text: string): void {
    for (const [name, content] of Object.entries({
      [wholeRelease(remote, version).entry]: version,
      [description]: text,
    })) {
      writeFileSync(path.join(this.#origin, 'new'), content);
      renameSync(path.join(this.#origin, 'new'), path.join(this.#origin, name));
    }
  }

  /** Applies a deployment to what is expected; a mirror may not make all of them. */
  apply({ action, version = '', audience, left, by: author }: Deployment): void {
    const { expected, deployed } = this;
    if (author === 'mirror' && action === 'activate')
      expect([version, expected.isHeld, deployed.has(version)]).toEqual([this.offered, false, false]);
    if (version) deployed.add(version);
    if (action === 'offer' && audience) expected[audience] = version;
    if (action === 'end' && audience) expected[audience] = undefined;
    if (action === 'activate') {
      if (left !== undefined || expected.preview === version) expected.preview = undefined;
      Object.assign(expected, { active: version, canary: undefined });
    }
    if (action === 'hold' || action === 'lift') expected.isHeld = action === 'hold';
  }

  async remove(): Promise<void> {
    for (const { releases } of this.servers) {
      releases.remove();
      await releases.registry.close();
    }
    rmSync(this.#origin, { recursive: true, force: true });
  }
}

/** What happens on the site, to one of its servers and with one of the releases. */
const actions = {
  'the origin offers it': (site: Site, _: Server, version: string) => site.offer(version),
  'the origin offers a preview of it': (site: Site, _: Server, version: string) => site.offerPreview(version),
  poll: (_: Site, { mirror }: Server) => mirror.poll(signal),
  'poll the preview': (_: Site, { mirror }: Server) => mirror.pollPreview(signal),
  rollback: (_: Site, { releases }: Server) => releases.rollback(remote, by),
  'rollback to it': (_: Site, { releases }: Server, version: string) => releases.rollback(remote, by, version),
  canary: (_: Site, { releases }: Server, version: string) => releases.offer(remote, version, { percent: 10 }, by),
  'end the canary': (_: Site, { releases }: Server) => releases.end(remote, by, 'canary'),
  'end the preview': (_: Site, { releases }: Server) => releases.end(remote, by, 'preview'),
  activate: (_: Site, { releases }: Server, version: string) => releases.activate(remote, version, by),
  hold: (_: Site, { releases }: Server) => releases.hold(remote, by),
  lift: (_: Site, { releases }: Server) => releases.lift(remote, by),
  'read the registry': (_: Site, { releases }: Server) => releases.active.update(),
  restart: (_: Site, server: Server) => server.restart(),
  'lose the folder': (_: Site, server: Server) => server.restart(true),
};
type Action = keyof typeof actions;

/** Polls are the most frequent: a release may be activated automatically between any two deployments. */
const frequent: Action[] = ['poll', 'poll', 'canary', 'poll the preview'];

const step = fc.record({
  action: fc.constantFrom(...frequent, ...frequent, ...(Object.keys(actions) as Action[])),
  server: fc.nat(2),
  version: fc.integer({ min: 1, max: 3 }).map(versionOf),
  killIn: fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 16 }) },
  ),
});

async function run(
  site: Site,
  { action, server: which, version, killIn }: typeof step extends fc.Arbitrary<infer Step> ? Step : never,
) {
  const server = site.servers[which] as Server;
  if (killIn !== undefined) server.killIn(killIn);
  server.isActing = true;
  const error = await (async () => actions[action](site, server, version))().then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  server.isActing = false;
  const { isDead } = server;
  if (isDead) server.restart();
  // The rules of rejected deployments are those of release-management.spec.ts.
  else expect([error?.name ?? 'DeploymentError', server.releases.pollProblems]).toEqual(['DeploymentError', []]);
  for (const { releases } of site.servers) await releases.active.update();

  const log = site.servers[0]?.releases.copy.deployments(remote) ?? [];
  for (const deployment of log.slice(site.log.length)) site.apply(deployment);
  site.log = log;
  const { expected, offered, offeredPreview, deployed } = site;
  for (const { releases } of site.servers) {
    const { served, canary } = releases.active.servedBy(remote) ?? {};
    const state = releases.copy.stateOf(remote);
    expect({
      active: served?.version,
      canary: canary?.release.version,
      isHeld: state.isHeld,
      preview: runningPreview(state)?.version,
    }).toEqual(expected);
    expect(releases.copy.deployments(remote)).toEqual(log);
  }
  if (isDead) return;
  if (action === 'poll' && !expected.isHeld) expect([...deployed]).toContain(offered);
  if (action === 'poll the preview' && offeredPreview && offeredPreview.version !== expected.active)
    expect(log.map(({ tokenHash }) => tokenHash)).toContain(offeredPreview.hash);
}

let database: ReleasesDatabase;
beforeAll(async () => {
  database = await startReleasesDatabase();
});
afterAll(() => database.stop());

test.each<[string, number, () => Promise<() => SiteRegistry>]>([
  [
    'memory',
    100,
    async () => {
      const registry = new MemoryRegistry();
      return () => registry;
    },
  ],
  [
    'PostgreSQL',
    15,
    async () => {
      await database.empty();
      return () => new PostgresRegistry(database.shellUrl);
    },
  ],
])(
  'a release is activated automatically once, and never while its remote is held, on servers with a registry in %s',
  async (_kind, runs, openRegistry) => {
    const steps = fc.array(step, { maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (each) => {
        const site = new Site(await openRegistry());
        try {
          for (const one of each) await run(site, one);
        } finally {
          await site.remove();
        }
      }),
      // The limit is for shrinking a failure, which ends with the shortest steps found by then.
      { numRuns: runs, interruptAfterTimeLimit: 30_000 },
    );
  },
);

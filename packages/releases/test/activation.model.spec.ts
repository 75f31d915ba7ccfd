import { mkdirSync } from 'node:fs';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/runner/releases-database';
import { MemoryRegistry } from '@daybook/testing/memory-registry';
import { versionOf } from '@daybook/testing/releases';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Offer } from '../src/deployments/deployment-request.ts';
import type { Published } from '../src/deployments/publish-release.ts';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';
import { RegistryError, type ReleaseRegistry } from '../src/registry/release-registry.ts';
import { type Deployment, runningPreview } from '../src/registry/remote-state.ts';
import { hashOfToken, newPreviewToken } from '../src/signature/preview-token.ts';

// Three servers with a folder each on one registry. A server is killed, or loses its connection, at the beginning or the end
// of any call of the registry; compared with a model of a few lines: what visitors get is what the entries of the log say,
// and publishing a release again that was active once makes no entry.

const remote = 'mf-legal';
const by = { by: 'test' };

/** Thrown by every call of a killed server. */
class Killed extends Error {
  override readonly name = 'Killed';
}
type Interruption = 'kill' | 'disconnect';

class Server {
  readonly #registry: ReleaseRegistry;
  #folder: string | undefined;
  #open: TemporaryReleases | undefined;
  /** The call of the registry, in half calls from now, at whose beginning or end the server is interrupted. */
  #interruptIn = Number.POSITIVE_INFINITY;
  #how: Interruption = 'kill';
  /** Only during a step: the check after it must not be interrupted. */
  isActing = false;

  constructor(registry: ReleaseRegistry) {
    this.#registry = registry;
  }

  get interruption(): Interruption | undefined {
    return this.#interruptIn <= 0 ? this.#how : undefined;
  }

  get releases(): TemporaryReleases {
    this.#open ??= createTemporaryReleases([remote], this.#interruptible(), this.#folder);
    this.#folder = this.#open.folder;
    return this.#open;
  }

  interruptIn(halfCalls: number, how: Interruption): void {
    [this.#interruptIn, this.#how] = [halfCalls, how];
  }

  reconnect(): void {
    this.#interruptIn = Number.POSITIVE_INFINITY;
  }

  /** Starts it again with its folder, or an empty one. */
  async restart(isFolderLost = false): Promise<void> {
    if (isFolderLost) this.releases.remove();
    this.#open = undefined;
    this.reconnect();
    await this.releases.live.start();
    await this.releases.live.stop();
    this.#open = undefined;
  }

  publish(version: string, offer?: Offer): Promise<Published> {
    // Its folder may be lost.
    mkdirSync(this.releases.folder, { recursive: true });
    return this.releases.publishVersion(remote, version, offer);
  }

  #interruptible(): ReleaseRegistry {
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
    if (this.isActing) this.#interruptIn -= 1;
    if (this.interruption === 'kill') throw new Killed();
    if (this.interruption === 'disconnect') throw new RegistryError(new Error('disconnected'));
  }
}

interface Expected {
  active?: string;
  canary?: string | undefined;
  isHeld: boolean;
  preview?: string | undefined;
}

class Site {
  readonly servers: readonly Server[];
  /** The log so far, and what follows from it. */
  log: readonly Deployment[] = [];
  expected: Expected = { isHeld: false };

  constructor(registry: () => ReleaseRegistry) {
    this.servers = [1, 2, 3].map(() => new Server(registry()));
  }

  wasActive(version: string): boolean {
    return this.log.some((each) => each.action === 'activate' && each.version === version);
  }

  /** Applies a deployment to what is expected. */
  apply({ action, version = '', audience, left }: Deployment): void {
    const { expected } = this;
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
  }
}

const previewFor = (): Offer => ({
  tokenHash: hashOfToken(newPreviewToken()),
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
});

/** What happens at one of the servers, with one of the releases. */
const actions = {
  publish: (server: Server, version: string) => server.publish(version),
  'publish a canary': (server: Server, version: string) => server.publish(version, { percent: 10 }),
  'publish a preview': (server: Server, version: string) => server.publish(version, previewFor()),
  rollback: ({ releases }: Server) => releases.rollback(remote, by),
  'rollback to it': ({ releases }: Server, version: string) => releases.rollback(remote, by, version),
  canary: ({ releases }: Server, version: string) => releases.offer(remote, version, { percent: 10 }, by),
  'end the canary': ({ releases }: Server) => releases.end(remote, by, 'canary'),
  'end the preview': ({ releases }: Server) => releases.end(remote, by, 'preview'),
  activate: ({ releases }: Server, version: string) => releases.activate(remote, version, by),
  hold: ({ releases }: Server) => releases.hold(remote, by),
  lift: ({ releases }: Server) => releases.lift(remote, by),
  'read the registry': ({ releases }: Server) => releases.live.update(),
  restart: (server: Server) => server.restart(),
  'lose the folder': (server: Server) => server.restart(true),
};
type Action = keyof typeof actions;
const frequent: Action[] = ['publish', 'publish', 'publish a preview', 'canary'];
const silent: readonly Action[] = ['read the registry', 'restart', 'lose the folder'];

const step = fc.record({
  action: fc.constantFrom(...frequent, ...frequent, ...(Object.keys(actions) as Action[])),
  server: fc.nat(2),
  version: fc.integer({ min: 1, max: 4 }).map(versionOf),
  interrupted: fc.option(
    fc.record({ after: fc.integer({ min: 1, max: 16 }), how: fc.constantFrom<Interruption>('kill', 'disconnect') }),
    { freq: 6, nil: undefined },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

async function run(site: Site, { action, server: which, version, interrupted }: Step): Promise<void> {
  const server = site.servers[which] as Server;
  const wasStored = server.releases.snapshot().servable(remote, version) !== undefined;
  if (interrupted) server.interruptIn(interrupted.after, interrupted.how);
  server.isActing = true;
  const [result, error] = await (async () => actions[action](server, version))().then(
    (made) => [made, undefined] as const,
    (thrown: Error) => [undefined, thrown] as const,
  );
  server.isActing = false;
  const { interruption } = server;
  if (interruption === 'kill') await server.restart();
  else if (interruption === 'disconnect') server.reconnect();
  // The rules of rejected deployments are those of release-management.spec.ts.
  else expect(error?.name ?? 'DeploymentError').toBe('DeploymentError');
  for (const { releases } of site.servers) await releases.live.update();

  const log = site.servers[0]?.releases.snapshot().deployments(remote) ?? [];
  const entries = log.slice(site.log.length);
  const wasActive = site.wasActive(version);
  const { isHeld } = site.expected;
  // During a hold, which has ended.
  const wasOnlyStored = wasStored && !site.log.some((each) => each.version === version);
  for (const deployment of entries) site.apply(deployment);
  site.log = log;
  for (const { releases } of site.servers) {
    const snapshot = releases.snapshot();
    const { served, canary } = snapshot.servedBy(remote) ?? {};
    const state = snapshot.stateOf(remote);
    expect({
      active: served?.version,
      canary: canary?.release.version,
      isHeld: state.heldBy !== undefined,
      preview: runningPreview(state)?.version,
    }).toEqual(site.expected);
    expect(snapshot.deployments(remote)).toEqual(log);
    // Whatever the log names is whole on every server.
    for (const each of log) if (each.version) expect(snapshot.find(remote, each.version)).toBeDefined();
  }
  expect(entries.length).toBeLessThanOrEqual(silent.includes(action) ? 0 : 1);
  if (action.startsWith('publish') && wasActive) expect(entries).toEqual([]);
  if (action !== 'publish' || interruption) return;
  const { outcome } = result as Published;
  const isKnown = wasActive || (wasOnlyStored && !isHeld);
  expect(outcome).toBe(isKnown ? 'known' : isHeld ? 'held' : 'deployed');
  if (outcome === 'deployed') expect(site.expected.active).toBe(version);
}

let database: ReleasesDatabase;
beforeAll(async () => {
  database = await startReleasesDatabase();
});
afterAll(() => database.stop());

test.each<[string, number, () => Promise<() => ReleaseRegistry>]>([
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
  'visitors get what the log says, from servers that are killed and disconnected, with a registry in %s',
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

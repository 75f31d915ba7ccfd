import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/testing/releases-database';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PreviewMirror } from '../src/mirror/preview-mirror.ts';
import { RemoteMirror } from '../src/mirror/remote-mirror.ts';
import { openOrigin } from '../src/origins/open-origin.ts';
import { MemoryRegistry } from '../src/registry/memory-registry.ts';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';
import type { SiteRegistry } from '../src/registry/release-registry.ts';
import { hashOfToken, newPreviewToken } from '../src/serving/preview-token.ts';
import { signPreview } from '../src/signature/signature.ts';
import { runningPreview } from '../src/state/remote-state.ts';
import {
  createTemporaryReleases,
  type TemporaryReleases,
  versionOf,
  wholeRelease,
} from '../src/test/release-folder.ts';
import { newSigner } from '../src/test/signers.ts';
import { makeTemporaryFolder } from '../src/test/temporary-folder.ts';

// Two and three servers with a folder each on one registry, in memory and in PostgreSQL, with real caches, mirrors and
// origin, killed between any two steps, against a model of a few lines: which release visitors get, and which one is
// activated automatically.

const remote = 'mf-legal';
const by = { by: 'test' };
const team = newSigner();
const begun = Date.now() - 3_600_000;

/** The expected state of the site; releases by their number. */
interface Model {
  offered: number;
  /** The last release that a mirror found at the origin. */
  found?: number | undefined;
  stored: Set<number>;
  active?: number | undefined;
  canary?: number | undefined;
  pinned: boolean;
  /** The preview at the origin: each has another number. */
  offeredPreview?: { readonly release: number; readonly id: number } | undefined;
  /** The last preview that began. */
  preview?: { readonly release: number; readonly id: number; readonly isOver: boolean } | undefined;
  /** Rolled back, or a canary or a preview, and not activated by an operator since. */
  withdrawn: Set<number>;
  /** Replaced by an operator, and not activated by one since. */
  replaced: Set<number>;
  /** Releases in the order of their last activation. */
  activations: number[];
}

/** Thrown by every call of a killed server. */
class Killed extends Error {
  override readonly name = 'Killed';
}

/** When a server is killed: before or after one of its next calls of the registry. */
interface Kill {
  readonly call: number;
  readonly moment: 'before' | 'after';
}

class Server {
  readonly #registry: SiteRegistry;
  readonly #origin: string;
  #parts:
    | { readonly releases: TemporaryReleases; readonly mirror: RemoteMirror; readonly previews: PreviewMirror }
    | undefined;
  #kill: Kill | undefined;
  #calls = 0;
  /** Only during a step: the check after it must not kill the server. */
  isActing = false;
  #isDead = false;
  #folder: string | undefined;

  constructor(registry: SiteRegistry, origin: string) {
    this.#registry = registry;
    this.#origin = origin;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get releases(): TemporaryReleases {
    return this.open().releases;
  }

  killAt(kill: Kill): void {
    this.#kill = kill;
    this.#calls = 0;
  }

  /** Starts it again with its folder, or an empty one. */
  restart(folder: 'same' | 'empty'): void {
    const { releases } = this;
    if (folder === 'empty') releases.remove();
    this.#parts = undefined;
    this.#kill = undefined;
    this.#isDead = false;
  }

  remove(): void {
    this.#parts?.releases.remove();
  }

  open() {
    if (this.#parts) return this.#parts;
    const registry = this.#interruptible();
    const releases = createTemporaryReleases([remote], registry, this.#folder);
    this.#folder = releases.folder;
    const onProblem = (problem: unknown) => {
      if (!this.#isDead) throw new Error(JSON.stringify(problem));
    };
    const origin = openOrigin(`file:${this.#origin}`);
    const { copy, cache } = releases;
    const options = { remote, origin, registry, copy, management: releases, cache, retained: 9, onProblem };
    this.#parts = { releases, mirror: new RemoteMirror(options), previews: new PreviewMirror(options) };
    return this.#parts;
  }

  #interruptible(): SiteRegistry {
    return new Proxy(this.#registry, {
      get: (registry, name) => {
        const value = Reflect.get(registry, name);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]) => {
          this.#die('before');
          const result = await value.apply(registry, parameters);
          this.#die('after');
          return result;
        };
      },
    });
  }

  #die(moment: Kill['moment']): void {
    if (this.#isDead) throw new Killed();
    if (!this.isActing) return;
    if (moment === 'before') this.#calls += 1;
    if (this.#kill?.call === this.#calls && this.#kill.moment === moment) this.#isDead = true;
    if (this.#isDead) throw new Killed();
  }
}

class Site {
  readonly #origin = makeTemporaryFolder();
  readonly servers: readonly Server[];

  /** @param registries one for each server */
  constructor(registries: readonly SiteRegistry[]) {
    this.servers = registries.map((registry) => new Server(registry, this.#origin));
  }

  server(which: number): Server {
    return this.servers[which % this.servers.length] as Server;
  }

  offer(version: string): void {
    const release = wholeRelease(remote, version);
    this.#write(release.entry, version);
    this.#write('release.json', JSON.stringify(release));
  }

  /** By a rename: two writes may have the same modification time. */
  #write(file: string, content: string): void {
    writeFileSync(path.join(this.#origin, 'new'), content);
    renameSync(path.join(this.#origin, 'new'), path.join(this.#origin, file));
  }

  /** Offers a preview beside the release; the later ones end later. */
  async offerPreview(version: string, id: number): Promise<void> {
    const release = wholeRelease(remote, version);
    const hash = hashOfToken(newPreviewToken());
    this.#write(release.entry, version);
    const signed = await signPreview(JSON.stringify(release), remote, hash, team, begun + id * 1_000);
    this.#write('preview.jws', signed);
  }

  remove(): void {
    for (const server of this.servers) server.remove();
    rmSync(this.#origin, { recursive: true, force: true });
  }
}

function giveToAll(model: Model, release: number): void {
  if (model.active !== release) model.activations = [...model.activations.filter((each) => each !== release), release];
  Object.assign(model, { active: release, canary: undefined });
  if (model.preview?.release === release) model.preview = { ...model.preview, isOver: true };
  model.withdrawn.delete(release);
  model.replaced.delete(release);
}

const needsOperator = ({ withdrawn, replaced }: Model, release: number) =>
  withdrawn.has(release) || replaced.has(release);

const numberOf = (version: string) => Number(version.slice(-8));

/** One event on the site. */
class Step implements fc.AsyncCommand<Model, Site> {
  readonly #name: string;
  readonly #expect: (model: Model) => boolean;
  readonly #act: (site: Site) => unknown;

  /**
   * @param expected changes the model; returns false if the site has to reject the change
   * @param act does the same to the site
   */
  constructor(name: string, expected: (model: Model) => boolean, act: (site: Site) => unknown) {
    this.#name = name;
    this.#expect = expected;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, site: Site): Promise<void> {
    const before = structuredClone(model);
    const revision = site.server(0).releases.copy.stateOf(remote).revision;
    const accepted = this.#expect(model);
    for (const server of site.servers) server.isActing = true;
    const error = await (async () => this.#act(site))().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    for (const server of site.servers) server.isActing = false;
    const killed = site.servers.filter(({ isDead }) => isDead);
    for (const server of killed) server.restart('same');
    if (killed.length === 0) expect(error?.name).toBe(accepted ? undefined : 'ChangeError');
    for (const { releases } of site.servers) await releases.active.update();
    if (killed.length > 0) this.#adopt(model, before, site.server(0).releases, revision);
    const version = (release: number | undefined) => (release === undefined ? undefined : versionOf(release));
    for (const { releases } of site.servers) {
      const served = releases.active.servedBy(remote);
      expect({
        active: served?.served.version,
        canary: served?.canary?.release.version,
        pinned: releases.copy.stateOf(remote).pinned,
        preview: runningPreview(releases.copy.stateOf(remote))?.version,
      }).toEqual({
        active: version(model.active),
        canary: version(model.canary),
        pinned: model.pinned,
        preview: model.preview?.isOver ? undefined : version(model.preview?.release),
      });
    }
  }

  /** A killed server has made the change or not; and it may have stored a release without activating it. */
  #adopt(model: Model, before: Model, releases: TemporaryReleases, revision: number): void {
    if (releases.copy.stateOf(remote).revision === revision)
      Object.assign(model, { canary: undefined, active: undefined, preview: undefined }, before);
    const offered = releases.copy.originOf(remote)?.offered;
    model.found = offered ? numberOf(offered) : undefined;
    model.stored = new Set(releases.copy.releasesOf(remote).map(({ release }) => numberOf(release.version)));
  }

  toString(): string {
    return this.#name;
  }
}

const release = fc.integer({ min: 1, max: 3 });
const server = fc.integer({ min: 0, max: 2 });

/** Steps on one of the servers. */
const onServer = (name: string, expected: (model: Model) => boolean, act: (server: Server) => unknown) =>
  server.map((which) => new Step(`server ${which}: ${name}`, expected, (site) => act(site.server(which))));

/** Steps on one of the servers with one of the releases. */
const withRelease = (
  name: string,
  expected: (model: Model, each: number) => boolean,
  act: (server: TemporaryReleases, version: string) => unknown,
) =>
  fc.tuple(server, release).map(
    ([which, each]) =>
      new Step(
        `server ${which}: ${name} ${each}`,
        (model) => expected(model, each),
        (site) => act(site.server(which).releases, versionOf(each)),
      ),
  );

const { signal } = new AbortController();

const offer = release.map(
  (each) =>
    new Step(
      `origin offers ${each}`,
      (model) => {
        model.offered = each;
        return true;
      },
      (site) => site.offer(versionOf(each)),
    ),
);

const poll = onServer(
  'poll',
  (model) => {
    const { offered } = model;
    model.found = offered;
    model.stored.add(offered);
    if (!model.pinned && model.canary === undefined && !needsOperator(model, offered)) giveToAll(model, offered);
    return true;
  },
  (each) => each.open().mirror.poll(signal),
);

function endCanary(model: Model): boolean {
  model.canary = undefined;
  return true;
}

const rollback = onServer(
  'rollback',
  (model) => {
    const { active, canary, pinned, activations, withdrawn } = model;
    if (active === undefined) return false;
    if (canary !== undefined) return endCanary(model);
    if (pinned) return false;
    const target = activations.findLast((each) => each !== active && !withdrawn.has(each));
    if (target === undefined) return false;
    giveToAll(model, target);
    withdrawn.add(active);
    return true;
  },
  ({ releases }) => releases.rollback(remote, by),
);

const rollbackTo = withRelease(
  'rollback to',
  (model, target) => {
    const { active, stored, withdrawn } = model;
    if (active === undefined || active === target || !stored.has(target)) return false;
    giveToAll(model, target);
    withdrawn.add(active);
    return true;
  },
  (releases, version) => releases.rollback(remote, by, version),
);

const canary = withRelease(
  'canary',
  (model, each) => {
    const { active, stored, withdrawn } = model;
    if (active === undefined || active === each || !stored.has(each)) return false;
    model.canary = each;
    withdrawn.add(each);
    return true;
  },
  (releases, version) => releases.canary(remote, version, 10, by),
);

const endOfCanary = withRelease(
  'end canary',
  (model, each) => model.canary === each && endCanary(model),
  (releases, version) => releases.canary(remote, version, 0, by),
);

const promote = withRelease(
  'promote',
  (model, each) => {
    const { active, found, pinned, stored } = model;
    if (active === each || !stored.has(each)) return false;
    // The release at the origin would replace it at the next poll.
    if (!pinned && found !== undefined && found !== each && !needsOperator(model, found)) return false;
    giveToAll(model, each);
    return true;
  },
  (releases, version) => releases.canary(remote, version, 100, by),
);

const replace = withRelease(
  'activate',
  (model, each) => {
    const { active, found, pinned, stored } = model;
    if (active === each || !stored.has(each)) return false;
    const isOther = found !== undefined && found !== each && found !== active;
    if (!pinned && isOther && !needsOperator(model, found)) return false;
    giveToAll(model, each);
    if (active !== undefined) model.replaced.add(active);
    return true;
  },
  (releases, version) => releases.replace(remote, version, by),
);

const offerPreview = release.map((each) => {
  const place = { id: 0 };
  return new Step(
    `origin offers a preview of ${each}`,
    (model) => {
      place.id = (model.offeredPreview?.id ?? 0) + 1;
      model.offeredPreview = { release: each, id: place.id };
      return true;
    },
    (site) => site.offerPreview(versionOf(each), place.id),
  );
});

const pollPreview = onServer(
  'poll the preview',
  (model) => {
    const { offeredPreview: offered, preview, active } = model;
    if (!offered || offered.id === preview?.id || offered.release === active) return true;
    model.stored.add(offered.release);
    model.preview = { ...offered, isOver: false };
    model.withdrawn.add(offered.release);
    return true;
  },
  (each) => each.open().previews.poll(signal),
);

const endPreview = onServer(
  'end the preview',
  (model) => {
    if (!model.preview || model.preview.isOver) return false;
    model.preview = { ...model.preview, isOver: true };
    return true;
  },
  ({ releases }) => releases.endPreview(remote, by),
);

const pin = withRelease(
  'pin',
  (model, each) => {
    if (!model.stored.has(each) || (model.pinned && model.active === each)) return false;
    giveToAll(model, each);
    model.pinned = true;
    return true;
  },
  (releases, version) => releases.pin(remote, version, by),
);

const unpin = onServer(
  'unpin',
  (model) => {
    const { pinned } = model;
    model.pinned = false;
    return pinned;
  },
  ({ releases }) => releases.unpin(remote, by),
);

const changeNothing = () => true;
const update = onServer('read the registry', changeNothing, ({ releases }) => releases.active.update());
const restart = fc
  .constantFrom('same' as const, 'empty' as const)
  .chain((folder) => onServer(`restart with the ${folder} folder`, changeNothing, (each) => each.restart(folder)));
const killing = fc
  .record({ call: fc.integer({ min: 1, max: 8 }), moment: fc.constantFrom('before' as const, 'after' as const) })
  .chain((kill) =>
    onServer(`be killed ${kill.moment} the next call ${kill.call}`, changeNothing, (each) => each.killAt(kill)),
  );

// Polls are the most frequent: a release may be activated automatically between any two changes.
const often = [poll, poll, poll, canary, canary, pollPreview, pollPreview, killing, killing];
const steps = [
  ...often,
  ...[
    offer,
    rollback,
    rollbackTo,
    endOfCanary,
    promote,
    replace,
    offerPreview,
    endPreview,
    pin,
    unpin,
    update,
    restart,
  ],
];

/** @param runs number of sequences, and a limit in ms for shrinking a failure */
async function check(openAll: () => Promise<readonly SiteRegistry[]>, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: 'max' }), async (commands) => {
      const registries = await openAll();
      const site = new Site(registries);
      try {
        // Origins are polled from the start, and offer something.
        site.offer(versionOf(1));
        const model: Model = {
          offered: 1,
          stored: new Set(),
          pinned: false,
          withdrawn: new Set(),
          replaced: new Set(),
          activations: [],
        };
        await fc.asyncModelRun(() => ({ model, real: site }), commands);
      } finally {
        site.remove();
        for (const registry of new Set(registries)) await registry.close();
      }
    }),
    // The second limit is for shrinking a failure, which ends with the shortest steps found by then.
    { numRuns: runs, interruptAfterTimeLimit: 30_000 },
  );
}

describe.each([2, 3])(
  'on %p servers, a release that was rolled back or replaced, a canary and a preview are never activated automatically',
  (count) => {
    let database: ReleasesDatabase;
    beforeAll(async () => {
      database = await startReleasesDatabase();
    });
    afterAll(() => database.stop());

    test('with a registry in memory', () =>
      check(async () => Array<SiteRegistry>(count).fill(new MemoryRegistry()), 60));

    test('with a registry in PostgreSQL', () =>
      check(async () => {
        await database.empty();
        return Array.from({ length: count }, () => new PostgresRegistry(database.shellUrl));
      }, 10));
  },
);

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openOrigin } from '@daybook/release';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { versionOf, wholeRelease } from '../test/release-folder.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { RemoteMirror } from './mirror/remote-mirror.ts';
import { ReleaseManagement } from './release-management.ts';

// Two servers on one folder, with the real log, store, mirrors and origin, against a model of a few lines: which release
// visitors get, and which one is activated automatically.

const remote = 'mf-legal';
const by = { by: 'test' };

/** The expected state of the site; releases by their number. */
interface Model {
  offered: number;
  /** The last release that a mirror found at the origin. */
  found?: number;
  readonly stored: Set<number>;
  active?: number | undefined;
  canary?: number | undefined;
  pinned: boolean;
  /** Rolled back, or a canary, and not promoted by an operator since. */
  readonly withdrawn: Set<number>;
  /** Releases in the order of their last activation. */
  activations: number[];
}

interface Server {
  management: ReleaseManagement;
  mirror: RemoteMirror;
}

class Site {
  readonly #folder = makeTemporaryFolder();
  readonly #origin = path.join(this.#folder, 'origin');
  readonly servers: [Server, Server] = [this.#open(), this.#open()];

  #open(): Server {
    const fail = (problem: unknown) => {
      throw new Error(JSON.stringify(problem));
    };
    const management = new ReleaseManagement(path.join(this.#folder, 'releases'), [remote], fail);
    const origin = openOrigin(`file:${this.#origin}`);
    return { management, mirror: new RemoteMirror({ remote, origin, management, retained: 9, onProblem: fail }) };
  }

  offer(version: string): void {
    mkdirSync(this.#origin, { recursive: true });
    const release = wholeRelease(remote, version);
    writeFileSync(path.join(this.#origin, release.entry), version);
    // By a rename: two writes may have the same modification time.
    writeFileSync(path.join(this.#origin, 'new.json'), JSON.stringify(release));
    renameSync(path.join(this.#origin, 'new.json'), path.join(this.#origin, 'release.json'));
  }

  restart(which: 0 | 1): void {
    this.servers[which] = this.#open();
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function giveToAll(model: Model, release: number): void {
  if (model.active !== release) model.activations = [...model.activations.filter((each) => each !== release), release];
  Object.assign(model, { active: release, canary: undefined });
  model.withdrawn.delete(release);
}

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
    const accepted = this.#expect(model);
    const act = async () => this.#act(site);
    if (accepted) await act();
    else await expect(act()).rejects.toMatchObject({ name: 'ChangeError' });
    const version = (release: number | undefined) => (release === undefined ? undefined : versionOf(release));
    for (const { management } of site.servers) {
      management.log.refresh();
      const current = management.servedBy(remote);
      expect({
        active: current?.served.version,
        canary: current?.canary?.release.version,
        pinned: management.log.stateOf(remote).pinned,
      }).toEqual({ active: version(model.active), canary: version(model.canary), pinned: model.pinned });
    }
  }

  toString(): string {
    return this.#name;
  }
}

const release = fc.integer({ min: 1, max: 3 });
const server = fc.constantFrom(0 as const, 1 as const);
const changesOf = (site: Site, which: 0 | 1) => site.servers[which].management;

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

const poll = server.map(
  (which) =>
    new Step(
      `server ${which} polls`,
      (model) => {
        const { offered } = model;
        model.found = offered;
        model.stored.add(offered);
        if (!model.pinned && model.canary === undefined && !model.withdrawn.has(offered)) giveToAll(model, offered);
        return true;
      },
      (site) => site.servers[which].mirror.poll(new AbortController().signal),
    ),
);

function endCanary(model: Model): boolean {
  model.canary = undefined;
  return true;
}

const rollback = server.map(
  (which) =>
    new Step(
      `rollback on server ${which}`,
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
      (site) => changesOf(site, which).rollback(remote, by),
    ),
);

const rollbackTo = fc.tuple(server, release).map(
  ([which, target]) =>
    new Step(
      `rollback to ${target} on server ${which}`,
      (model) => {
        const { active, stored, withdrawn } = model;
        if (active === undefined || active === target || !stored.has(target)) return false;
        giveToAll(model, target);
        withdrawn.add(active);
        return true;
      },
      (site) => changesOf(site, which).rollback(remote, by, versionOf(target)),
    ),
);

const canary = fc.tuple(server, release).map(
  ([which, each]) =>
    new Step(
      `canary ${each} on server ${which}`,
      (model) => {
        const { active, stored, withdrawn } = model;
        if (active === undefined || active === each || !stored.has(each)) return false;
        model.canary = each;
        withdrawn.add(each);
        return true;
      },
      (site) => changesOf(site, which).canary(remote, versionOf(each), 10, by),
    ),
);

const endOfCanary = fc.tuple(server, release).map(
  ([which, each]) =>
    new Step(
      `canary ${each} ends on server ${which}`,
      (model) => model.canary === each && endCanary(model),
      (site) => changesOf(site, which).canary(remote, versionOf(each), 0, by),
    ),
);

const promote = fc.tuple(server, release).map(
  ([which, each]) =>
    new Step(
      `promote ${each} on server ${which}`,
      (model) => {
        const { active, found, pinned, stored, withdrawn } = model;
        if (active === each || !stored.has(each)) return false;
        // The release at the origin would replace it at the next poll.
        if (!pinned && found !== undefined && found !== each && !withdrawn.has(found)) return false;
        giveToAll(model, each);
        return true;
      },
      (site) => changesOf(site, which).canary(remote, versionOf(each), 100, by),
    ),
);

const pin = fc.tuple(server, release).map(
  ([which, each]) =>
    new Step(
      `pin ${each} on server ${which}`,
      (model) => {
        if (!model.stored.has(each) || (model.pinned && model.active === each)) return false;
        giveToAll(model, each);
        model.pinned = true;
        return true;
      },
      (site) => changesOf(site, which).pin(remote, versionOf(each), by),
    ),
);

const unpin = server.map(
  (which) =>
    new Step(
      `unpin on server ${which}`,
      (model) => {
        const { pinned } = model;
        model.pinned = false;
        return pinned;
      },
      (site) => changesOf(site, which).unpin(remote, by),
    ),
);

const restart = server.map(
  (which) =>
    new Step(
      `server ${which} restarts`,
      () => true,
      (site) => site.restart(which),
    ),
);

// Polls are the most frequent: a release may be activated automatically between any two changes.
const steps = [
  offer,
  poll,
  poll,
  poll,
  rollback,
  rollbackTo,
  canary,
  canary,
  endOfCanary,
  promote,
  pin,
  unpin,
  restart,
];

test('a release that was rolled back, or a canary that was not promoted, is never activated automatically', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 60, size: 'max' }), async (commands) => {
      const site = new Site();
      try {
        // Origins are polled from the start, and offer something.
        site.offer(versionOf(1));
        const model: Model = { offered: 1, stored: new Set(), pinned: false, withdrawn: new Set(), activations: [] };
        await fc.asyncModelRun(() => ({ model, real: site }), commands);
      } finally {
        site.remove();
      }
    }),
    // The second limit is for shrinking a failure, which ends with the shortest steps found by then.
    { numRuns: 60, interruptAfterTimeLimit: 20_000 },
  );
});

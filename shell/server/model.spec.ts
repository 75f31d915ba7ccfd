import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '@daybook/contract/release';
import { eventually } from '@daybook/testing/eventually';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { openLine } from './test/line.ts';
import { newDatabase, numbered, type RunningSite, sentOf, startRunningSite } from './test/running-site.ts';

// Two servers on one database, compared with a model of a few lines. Servers restart between steps, and lose the database in
// the middle of one.

const names = ['mf-legal', 'mf-signup'] as const;
type Name = (typeof names)[number];
type Claim = readonly [remote: Name, version: string | null];
const versions = [1, 2, 3, 4].map(versionOf);

interface Step {
  readonly kind: 'publish' | 'canary release' | 'keep' | 'rollback to' | 'activate both' | Change['action'];
  readonly remote: Name;
  readonly version: string;
  readonly other: string;
  readonly isTeam: boolean;
  readonly server: number;
  readonly fault: 'none' | 'restart' | 'lose the folder' | number;
}

/** One release of each remote has the page /faq. */
const hasFaq = ([remote, version]: Claim) => version === versionOf(remote === 'mf-legal' ? 3 : 4);
const releaseOf = (remote: Name, version: string) => {
  const paths = [remote === 'mf-legal' ? '/terms' : '/', ...(hasFaq([remote, version]) ? ['/faq'] : [])];
  return sentOf(numbered(versions.indexOf(version) + 1, remote, { routes: paths.map((path) => routeOf(path)) }));
};

class Refused extends Error {}
const refuseIf = (condition: unknown) => {
  if (condition) throw new Refused();
};

/** What is known of a remote. */
class Remote {
  stack: readonly string[] = [];
  canary: string | null = null;
  heldBy: 'team' | 'operator' | undefined;
  rows = 0;
  stored: readonly string[] = [];
  given: readonly string[] = [];
  tried: readonly string[] = [];
  left: readonly string[] = [];

  get active(): string | null {
    return this.stack.at(-1) ?? null;
  }

  store(version: string): void {
    this.stored = [...new Set([...this.stored, version])].sort();
  }

  give(version: string): void {
    this.stack = [...this.stack.filter((each) => each !== version), version];
    this.left = this.left.filter((each) => each !== version);
    this.given = [...this.given, version];
    this.canary = null;
  }

  offer(version: string): void {
    this.canary = version;
    this.tried = [...this.tried, version];
  }

  rollBackTo(version: string | undefined): void {
    const at = this.stack.indexOf(version ?? '');
    refuseIf(at < 0 || at === this.stack.length - 1);
    this.left = [...this.left, ...this.stack.slice(at + 1)];
    this.stack = this.stack.slice(0, at + 1);
    this.canary = null;
  }
}
type Model = Readonly<Record<Name, Remote>>;

const copyOf = (model: Model) =>
  Object.fromEntries(names.map((name) => [name, Object.assign(new Remote(), model[name])])) as unknown as Model;

function checkPaths(model: Model, given: readonly Claim[]): void {
  const others = names.filter((name) => given.every(([each]) => each !== name));
  const claims = others.flatMap((name): Claim[] => [
    [name, model[name].active],
    [name, model[name].canary],
  ]);
  const taking = given.filter(hasFaq);
  refuseIf(taking.length > 1 || (taking.length > 0 && claims.some(hasFaq)));
}

/** Applies a step. @throws Refused if it is an error */
function apply(model: Model, { kind, remote, version, other, isTeam }: Step): void {
  const own = model[remote];
  const isBound = own.heldBy === 'operator' && isTeam;
  if (kind === 'keep' || kind === 'publish' || kind === 'canary release') {
    const isCanary = kind === 'canary release';
    const isKnown = own.given.includes(version) || (isCanary && own.tried.includes(version));
    if (!isKnown && !own.heldBy && kind !== 'keep') {
      refuseIf(isCanary && own.active === null);
      checkPaths(model, [[remote, version]]);
      if (isCanary) own.offer(version);
      else own.give(version);
      own.rows += 1;
    }
    own.store(version);
    return;
  }
  if (kind === 'activate' || kind === 'activate both') {
    const both = [['mf-legal', version] as const, ['mf-signup', other] as const];
    const named = kind === 'activate' ? ([[remote, version]] as const) : both;
    refuseIf(kind === 'activate' && isBound);
    refuseIf(named.some(([name, each]) => !model[name].stored.includes(each)));
    checkPaths(model, named);
    for (const [name, each] of named.filter(([one, wanted]) => model[one].active !== wanted)) {
      model[name].give(each);
      model[name].rows += 1;
    }
    return;
  }
  if (kind === 'rollback' || kind === 'rollback to') {
    own.rollBackTo(kind === 'rollback' ? own.stack.at(-2) : version);
    checkPaths(model, [[remote, own.active]]);
  } else if (kind === 'canary') {
    refuseIf(isBound || own.active === null || own.active === version || !own.stored.includes(version));
    refuseIf(own.left.includes(version));
    checkPaths(model, [[remote, version]]);
    own.offer(version);
  } else if (kind === 'end') {
    refuseIf(own.canary === null);
    own.canary = null;
  } else if (kind === 'hold') {
    refuseIf(own.heldBy && (own.heldBy === 'operator' || isTeam));
    own.heldBy = isTeam ? 'team' : 'operator';
  } else {
    refuseIf(!own.heldBy || isBound);
    own.heldBy = undefined;
  }
  own.rows += 1;
}

/** Returns the query of a publication, or a change. */
function requestOf({ kind, remote, version, other }: Step): string | Change {
  const activate = (...releases: string[]): Change => ({ action: 'activate', releases });
  if (kind === 'publish') return '';
  if (kind === 'canary release') return '?percent=10';
  if (kind === 'keep') return '?keep=true';
  if (kind === 'activate') return activate(`${remote}@${version}`);
  if (kind === 'activate both') return activate(`mf-legal@${version}`, `mf-signup@${other}`);
  if (kind === 'rollback to') return { action: 'rollback', remote, version };
  if (kind === 'canary') return { action: 'canary', remote, version, percent: 10 };
  return { action: kind, remote };
}

async function run({ client }: RunningSite, step: Step): Promise<number> {
  const asked = requestOf(step);
  const team = step.remote === 'mf-legal' ? 'legal' : 'signup';
  const holder = step.isTeam && step.kind !== 'activate both' ? team : 'operator';
  if (typeof asked !== 'string') return (await client.change(asked, holder)).status;
  return (await client.publish(releaseOf(step.remote, step.version), asked, holder)).status;
}

const expectedOf = (model: Model) =>
  names.map((name) => {
    const { active, canary, heldBy, rows, stored, stack, left } = model[name];
    const shownAsLeft = stored.filter((each) => left.includes(each));
    return { active, canary, heldBy, rows, stored, previous: stack.at(-2) ?? null, left: shownAsLeft };
  });

/** Returns the same as a server says it. */
const statesOf = ({ client }: RunningSite) =>
  Promise.all(
    names.map(async (name) => {
      const { state, previous, releases } = await client.show(name);
      return {
        ...{ active: state?.active ?? null, canary: state?.canary ?? null, rows: state?.number ?? 0, previous },
        heldBy: state?.heldBy ? (state.heldByOperator ? 'operator' : 'team') : undefined,
        stored: releases.map(({ version }) => version).sort(),
        left: releases.flatMap(({ version, status }) => (status === 'rolled back' ? version : [])).sort(),
      };
    }),
  );

/** Expects visitors of both shares to get what the model says. */
async function expectServed({ client }: RunningSite, model: Model, remotes: readonly Name[] = names) {
  for (const name of remotes) {
    const [inCanary, others] = [0, 99].map((bucket) => client.versionOf(name, { Cookie: `bucket=${bucket}` }));
    const { active, canary } = model[name];
    expect([await inCanary, await others]).toEqual([canary ?? active ?? undefined, active ?? undefined]);
  }
}

type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts a server with its own folder and line to a database. */
async function startServer(database: string) {
  const line = await openLine(database);
  const folder = makeTemporaryFolder();
  const run = () => startRunningSite({ database: line.url, variables: { RELEASES_FOLDER: folder } });
  let site = await run();
  return {
    line,
    site: () => site,
    restart: async (isFolderLost = false) => {
      await site.stop();
      if (isFolderLost) rmSync(folder, { recursive: true });
      site = await run();
    },
    stop: async () => {
      line.close();
      await site.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Does a step at a server, and returns the model after it. */
async function check(server: Server, model: Model, step: Step): Promise<Model> {
  const { fault } = step;
  if (fault === 'restart' || fault === 'lose the folder') await server.restart(fault === 'lose the folder');
  const site = server.site();
  let expected = copyOf(model);
  let isRefused = false;
  try {
    apply(expected, step);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    [expected, isRefused] = [model, true];
  }
  if (typeof fault === 'number') server.line.cutAfter(fault);
  const status = await run(site, step);
  if (typeof fault === 'number') server.line.mend();
  const states = await eventually(() => statesOf(site));
  // The change was made, or not at all.
  if (status === 503 && !isDeepStrictEqual(states, expectedOf(expected))) expected = model;
  else if (status !== 503) expect(status < 300).toBe(!isRefused);
  expect(states).toEqual(expectedOf(expected));
  if (fault === 'none' && !isRefused) await expectServed(site, expected, [step.remote]);
  return expected;
}

/** Those that are often refused more often, so that ten runs have each. */
const kinds: readonly Step['kind'][] = [
  ...(['publish', 'publish', 'publish', 'canary release', 'keep', 'rollback', 'rollback'] as const),
  ...(['rollback to', 'rollback to', 'activate', 'activate', 'activate both', 'hold', 'lift', 'lift'] as const),
  ...(['canary', 'canary', 'canary', 'end', 'end', 'end'] as const),
];
const stepOf = fc.record<Step>({
  kind: fc.constantFrom(...kinds),
  remote: fc.constantFrom(...names),
  version: fc.constantFrom(...versions),
  other: fc.constantFrom(...versions),
  isTeam: fc.boolean(),
  server: fc.nat(1),
  fault: fc.oneof(
    { weight: 16, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constantFrom('restart' as const, 'lose the folder' as const) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 16 }) },
  ),
});

/** `RUNS` and `SEED` extend and repeat a run. */
const { RUNS = 10, SEED } = process.env;

test('visitors get what the model says, whatever is done, whichever server restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepOf, { minLength: 25, maxLength: 40, size: 'max' }), async (steps) => {
      const database = await newDatabase();
      const servers = [await startServer(database), await startServer(database)] as const;
      try {
        let model: Model = { 'mf-legal': new Remote(), 'mf-signup': new Remote() };
        for (const step of steps) model = await check(servers[step.server === 0 ? 0 : 1], model, step);
        for (const { site } of servers) await eventually(() => expectServed(site(), model));
        for (const { line, restart, site } of servers) {
          line.cut();
          await restart();
          await expectServed(site(), model);
        }
      } finally {
        for (const { stop } of servers) await stop();
      }
    }),
    { numRuns: Number(RUNS), ...(SEED && { seed: Number(SEED) }), interruptAfterTimeLimit: 240_000 },
  );
}, 300_000);

import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomFrom } from '../test/random.ts';
import { CanaryAnalysis, evidenceAgainstCanary } from './canary-analysis.ts';
import { ReportNonces } from './report-nonces.ts';

const [canary, active] = ['1.0.1-00000002', '1.0.0-00000001'];
let since = 0;
let percent = 10;
let running = true;
let analysis: CanaryAnalysis;
let ids = 0;
beforeEach(() => {
  [percent, running] = [10, true];
  since += 1;
  analysis = new CanaryAnalysis(new ReportNonces('secret'), () =>
    running ? { version: canary, percent, auto: true, since: String(since) } : undefined,
  );
});

/** A view from a network, each with its own nonce. */
function view(network: string, version = canary) {
  ids += 1;
  const nonce = { id: String(ids), network, releases: [] };
  analysis.countsOf('mf-legal')?.countView(version, nonce);
  return nonce;
}
const fail = (network: string, version = canary, nonce = view(network, version)) =>
  analysis.countsOf('mf-legal')?.countFailure(version, nonce);
const result = () => analysis.countsOf('mf-legal')?.result();
const times = (count: number, each: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) each(index);
};

describe('the counts of a canary', () => {
  test('have one view and one failure per network, however many it sends', () => {
    times(100, () => fail('one'));
    times(100, () => view('two', active));
    expect(result()).toMatchObject({ canary: { views: 1, failures: 1 }, active: { views: 1, failures: 0 } });
  });

  test('assign a network to the release that it viewed first, until the other one fails for it', () => {
    view('one', active);
    view('one', canary);
    expect(result()).toMatchObject({ canary: { views: 0, failures: 0 }, active: { views: 1, failures: 0 } });
    fail('one', canary);
    expect(result()).toMatchObject({ canary: { views: 1, failures: 1 }, active: { views: 0, failures: 0 } });
  });

  test('have only the first failure of a network, even from a later view', () => {
    view('office');
    fail('office');
    fail('office');
    fail('office', active);
    expect(result()).toMatchObject({ canary: { views: 1, failures: 1 }, active: { views: 0, failures: 0 } });
  });

  test('include a failure if another replica served the view', () => {
    analysis.countsOf('mf-legal')?.countFailure(canary, { id: 'elsewhere', network: 'one', releases: [] });
    expect(result()?.canary).toEqual({ views: 1, failures: 1 });
  });

  test('start again with another canary, and are dropped without one', () => {
    fail('one');
    since += 1;
    expect(result()?.canary).toEqual({ views: 0, failures: 0 });
    running = false;
    fail('one');
    expect(result()).toBeUndefined();
  });

  test('retain failures when networks exceed the limit, and then accept no more', () => {
    times(20, (index) => fail(`early ${index}`));
    times(30_000, (index) => view(`flood ${index}`));
    times(20, (index) => fail(`early ${index}`));
    expect(result()?.canary.failures).toBe(20);
    expect(result()?.isWorse).toBe(true);
    times(19_980, (index) => expect(fail(`failing ${index}`, active)).toBe(true));
    expect(fail('one more', active)).toBe(false);
    expect(result()?.active.failures).toBe(19_980);
  });
});

describe('the evidence against a canary', () => {
  const counts = fc.nat({ max: 5_000 });
  const shares = fc.integer({ min: 1, max: 99 }).map((each) => each / 100);

  test('grows with failures of the canary, and shrinks with those of the active release', () => {
    fc.assert(
      fc.property(counts, counts, shares, (canaryFailures, activeFailures, share) => {
        const evidence = evidenceAgainstCanary(canaryFailures, activeFailures, share);
        expect(evidence).toBeGreaterThanOrEqual(0);
        expect(evidenceAgainstCanary(canaryFailures + 1, activeFailures, share)).toBeGreaterThanOrEqual(evidence);
        expect(evidenceAgainstCanary(canaryFailures, activeFailures + 1, share)).toBeLessThanOrEqual(evidence);
      }),
    );
  });

  test('does not change on average with another failure, if both releases fail equally often', () => {
    fc.assert(
      fc.property(fc.nat({ max: 50 }), fc.nat({ max: 50 }), shares, (canaryFailures, activeFailures, share) => {
        const next =
          share * evidenceAgainstCanary(canaryFailures + 1, activeFailures, share) +
          (1 - share) * evidenceAgainstCanary(canaryFailures, activeFailures + 1, share);
        expect(next / evidenceAgainstCanary(canaryFailures, activeFailures, share)).toBeCloseTo(1, 6);
      }),
    );
  });
});

interface Simulated {
  /** Share of visitors that get the canary, in percent. */
  readonly share: number;
  /** Share of views that fail, from 0 to 1. */
  readonly canaryRate: number;
  readonly activeRate: number;
  readonly visitors: number;
  /** Average number of visitors per network. */
  readonly visitorsPerNetwork?: number;
  readonly attack: () => void;
}

/** Returns the number of visitors until the canary is rolled back; `undefined` if it is not. */
function simulate(seed: number, { share, canaryRate, activeRate, visitors, ...simulated }: Simulated) {
  const { visitorsPerNetwork = 1, attack } = simulated;
  const random = randomFrom(seed);
  percent = share;
  since += 1;
  for (let visitor = 0; visitor < visitors; visitor += 1) {
    if (visitor === 0 || visitor === 50) attack();
    const isOfCanary = random() * 100 < share;
    const version = isOfCanary ? canary : active;
    const network = visitorsPerNetwork === 1 ? visitor : Math.floor((random() * visitors) / visitorsPerNetwork);
    const nonce = view(`visitor ${network}`, version);
    if (random() >= (isOfCanary ? canaryRate : activeRate)) continue;
    fail(`visitor ${network}`, version, nonce);
    if (result()?.isWorse) return visitor + 1;
  }
  return undefined;
}

const forge = (networks: number, version: string) => () =>
  times(networks, (index) => times(100, () => fail(`forger ${index}`, version)));

describe.each<[string, () => void]>([
  ['nobody attacks', () => undefined],
  ['a bot requests 6,000 pages', () => times(6_000, () => view('bot'))],
  ['a network forges failures of the canary', forge(1, canary)],
  ['three networks forge failures of the canary', forge(3, canary)],
  ['three networks forge failures of the active release', forge(3, active)],
])('while %s', (_what, attack) => {
  // The active release fails for one view of a thousand.
  test.each([
    [10, 0.01, 50_000],
    [10, 0.02, 20_000],
    [10, 0.05, 6_000],
    [10, 0.1, 2_500],
    [10, 0.2, 1_200],
    [10, 0.5, 500],
    [50, 0.01, 20_000],
    [50, 0.1, 1_000],
    [50, 0.5, 250],
    [90, 0.5, 500],
  ])(
    'a canary for %d % that fails at a rate of %d is rolled back within %d visitors',
    (share, canaryRate, visitors) => {
      times(10, (seed) => {
        expect(simulate(seed, { share, canaryRate, activeRate: 0.001, visitors, attack })).toBeLessThanOrEqual(
          visitors,
        );
      });
    },
  );

  // With all attacks 1,000 canaries; at most one is expected to be rolled back.
  test.each([
    [10, 0, 1],
    [10, 0.01, 1],
    [10, 0.1, 1],
    [10, 0.5, 1],
    [50, 0.5, 1],
    [90, 0.1, 1],
    [10, 0.1, 20],
    [90, 0.1, 20],
  ])(
    'a canary for %d % that fails as often as the active release, %d, keeps running (%d visitors per network)',
    (share, rate, visitorsPerNetwork) => {
      times(25, (seed) => {
        const simulated = { share, canaryRate: rate, activeRate: rate, visitors: 1_000, visitorsPerNetwork, attack };
        expect(simulate(1_000 + seed, simulated)).toBeUndefined();
      });
    },
  );
});

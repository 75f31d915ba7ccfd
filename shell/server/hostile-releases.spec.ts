import { setImmediate as nextIteration } from 'node:timers/promises';
import { checkFragment } from '@daybook/releases';
import { eventually } from '@daybook/testing/eventually';
import { heavyFaults } from '@daybook/testing/faults';
import { OriginServer, servedOf } from '@daybook/testing/origin-server';
import type { ReleaseVariant } from '@daybook/testing/releases';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { versionOf } from '../../packages/releases/src/test/release-folder.ts';
import { describeFile, releaseOf, routeOf } from '../../packages/releases/src/test/temporary-site.ts';
import { readMetrics } from './test/operator.ts';
import { startRunningSite } from './test/running-site.ts';
import { send } from './test/send.ts';

// packages/releases/test/faults.spec.ts offers all faults to a mirror; here are those that a server must not spend its
// time on: whatever one remote's origin offers, the server responds, the good release and the other remotes are served.

/** Returns what a thread works until a promise settles, in ms of processor time: the most in an iteration of its event loop. */
async function longestIteration(work: Promise<unknown>): Promise<number> {
  let [longest, isOver, last] = [0, false, process.threadCpuUsage()];
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    await nextIteration();
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
  }
  await over;
  return longest;
}

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

const [good, broken] = [variantOf(1), variantOf(2)];
const origin = new OriginServer();
await origin.start();
afterAll(() => origin.stop());
const running = await startRunningSite({
  prepare: (site) => site.release(releaseOf('mf-signup')),
  origins: { 'mf-legal': origin.address },
});

const textOf = async (path: string) => (await send(running.address, path)).text;

/** Waits until the metrics have this. */
const untilReported = (reason: string, problem: 0 | 1) =>
  eventually(async () => {
    expect(await textOf('/healthz')).toBe('{"status":"ok"}');
    const line = `daybook_release_problem{remote="mf-legal",reason="${reason}"} ${problem}`;
    expect(await readMetrics(running.address)).toContain(line);
    expect(await textOf('/terms')).toContain(`data-remote="mf-legal@${good.release.version}"><h1>Terms</h1>`);
  });

const endTags = '</div>'.repeat(150_000);
/** The baseline: checking a heavy fragment on this thread, in ms. */
const ownCheck = await longestIteration(
  nextIteration().then(() => void expect(() => checkFragment(endTags)).toThrow()),
);

describe('the site keeps running and the rejection is reported:', () => {
  const offerGood = async () => {
    origin.served = servedOf(good);
    await untilReported('', 0);
  };
  beforeAll(offerGood);
  afterEach(offerGood);

  test.each(heavyFaults)('$name', async ({ reason, make }) => {
    origin.served = make(broken, { active: good.release, other: releaseOf('mf-signup') });
    expect(await longestIteration(untilReported(reason, 1))).toBeLessThan(ownCheck / 2);
    expect(await textOf('/mf-signup')).toContain('mf-signup');
  });
});

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

/** What the thread may work between two responses, in ms of processor time: other work of the machine does not count. */
const healthLimit = 200;

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

/** Waits until the metrics have this; returns the longest time that the thread worked between two responses, in ms. */
async function untilReported(reason: string, problem: 0 | 1): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  await eventually(async () => {
    expect(await textOf('/healthz')).toBe('{"status":"ok"}');
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
    const line = `daybook_release_problem{remote="mf-legal",reason="${reason}"} ${problem}`;
    expect(await readMetrics(running.address)).toContain(line);
    expect(await textOf('/terms')).toContain(`data-remote="mf-legal@${good.release.version}"><h1>Terms</h1>`);
  });
  return longest;
}

describe('the site keeps running and the rejection is reported:', () => {
  const offerGood = async () => {
    origin.served = servedOf(good);
    await untilReported('', 0);
  };
  beforeAll(offerGood);
  afterEach(offerGood);

  test.each(heavyFaults)('$name', async ({ reason, make }) => {
    origin.served = make(broken, { active: good.release, other: releaseOf('mf-signup') });
    expect(await untilReported(reason, 1)).toBeLessThan(healthLimit);
    expect(await textOf('/mf-signup')).toContain('mf-signup');
  });
});

import { setImmediate as nextTask } from 'node:timers/promises';
import { checkFragment, type ReleaseSigner } from '@daybook/releases';
import type { ReleaseVariant } from '@daybook/runner/releases';
import { fileEntry } from '@daybook/runner/releases';
import { heavyFaults, type Sent, sentOf } from '@daybook/testing/faults';
import { releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { type SiteResponse, send } from '@daybook/testing/send';
import { beforeAll, expect, test } from '@jest/globals';
import { readMetrics } from './test/operator.ts';
import { multipartBody, multipartType, signedPush } from './test/pushing.ts';
import { startRunningSite, teams } from './test/running-site.ts';

// packages/releases/test/faults.spec.ts publishes all faults; here are those that a server must not spend its time on: whatever
// one team publishes, the server responds, and the good release and the other remotes are served.

/** Returns what a thread works until a promise settles, in ms of processor time: its longest task, one turn of its event loop. */
async function longestTask(work: Promise<unknown>): Promise<number> {
  let [longest, isOver, last] = [0, false, process.threadCpuUsage()];
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    await nextTask();
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
  const described = Object.fromEntries([...files].map(([name, content]) => [name, fileEntry(content)]));
  const routes = [routeOf('/terms', { fragment })];
  return { release: releaseOf('mf-legal', { version, entry, routes, files: described }), files };
}

const [good, broken] = [variantOf(1), variantOf(2)];
const running = await startRunningSite({ prepare: (site) => site.release(releaseOf('mf-signup')) });
const signer = teams.get('mf-legal') as ReleaseSigner;

const textOf = async (path: string) => (await send(running.url, path)).text;

/** Prepares the request that publishes a release. */
async function requestOf(sent: Sent): Promise<() => Promise<SiteResponse>> {
  const text = String(sent.get('release.json'));
  const files = [...sent].filter(([name]) => name !== 'release.json');
  const { path, token, parts } = await signedPush({ text, parts: files, signer });
  const body = multipartBody(parts);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': multipartType, 'Content-Length': body.length };
  return () => send(running.url, path, { method: 'POST', body, headers });
}

const endTags = '</div>'.repeat(150_000);
/** The baseline: checking a heavy fragment on this thread, in ms. */
const checkTime = await longestTask(nextTask().then(() => void expect(() => checkFragment(endTags)).toThrow()));

beforeAll(async () => expect((await (await requestOf(sentOf(good)))()).status).toBe(201));

test.each(heavyFaults)('the site keeps running, and rejects: $name', async ({ reason, message, make }) => {
  const request = await requestOf(make(broken, { active: good.release, other: releaseOf('mf-signup') }));
  let isOver = false;
  let response: SiteResponse | undefined;
  const publishing = request().then((received) => {
    [response, isOver] = [received, true];
  });
  const visits = async () => {
    while (!isOver) {
      expect(await textOf('/healthz')).toBe('{"status":"ok"}');
      expect(await textOf('/terms')).toContain(`data-remote="mf-legal@${good.release.version}"><h1>Terms</h1>`);
    }
  };
  expect(await longestTask(Promise.all([publishing, visits()]))).toBeLessThan(checkTime / 2);
  expect(response?.status).toBe(422);
  expect(JSON.parse(response?.text ?? '').errors).toContainEqual(expect.stringMatching(message));
  expect(await readMetrics(running.url)).toMatch(
    new RegExp(`daybook_release_problems_total\\{remote="mf-legal",reason="${reason}"\\} [1-9]`),
  );
});

import { setImmediate as nextTask } from 'node:timers/promises';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { numbered, type Sent, sentOf, startRunningSite, twoRemotes } from './test/running-site.ts';

// Whatever a team publishes, the server responds to others meanwhile.

/** In ms of processor time: the longest turn of the event loop, with the test's own work. */
const maxTask = 300;

const site = await startRunningSite({ releases: twoRemotes });
const other = await startRunningSite({ database: site.database });

/** Returns the longest task of this thread until a promise settles, in ms of processor time. */
async function longestTask(work: Promise<unknown>): Promise<number> {
  let [longest, isOver, last] = [0, false, process.threadCpuUsage()];
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTask();
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
  }
  await over;
  return longest;
}

const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const { entry } = numbered(2);
const files = (count: number, contentOf: (index: number) => string | Buffer): Sent['files'] => ({
  [entry]: 'entry',
  ...Object.fromEntries(many(count, (index) => [`${index}.js`, contentOf(index)])),
});
const manifest = (changes: object): Sent => ({ manifest: JSON.stringify({ ...numbered(2), ...changes }), files: {} });

test.each<[string, number, () => Sent]>([
  [
    '60 pages of 50 kB of elements',
    201,
    () => {
      const routes = many(60, (index) =>
        routeOf(index === 0 ? '/terms' : `/${index}`, { title: 'T', fragment: `${index}.js` }),
      );
      return sentOf(
        numbered(2, 'mf-legal', { routes }),
        files(60, (index) => `<a>${index}`.repeat(10_000)),
      );
    },
  ],
  ['140,000 routes', 422, () => manifest({ routes: Array(140_000).fill(0) })],
])('the site responds while a release is published with %s', async (_what, status, make) => {
  await site.empty();
  for (const sent of twoRemotes) await site.client.publish(sent);
  await other.client.show();
  const sent = make();
  let isOver = false;
  const publishing = site.client.publish(sent, '', 'operator', 'mf-legal').then((response) => {
    isOver = true;
    return response;
  });
  const visits = async () => {
    while (!isOver)
      for (const { url } of [site, other]) {
        expect((await send(url, '/healthz')).text).toBe('{"status":"ok"}');
        expect((await send(url, '/')).text).toContain(`/remotes/mf-signup/${versionOf(1)}/`);
      }
  };
  expect(await longestTask(Promise.all([publishing, visits()]))).toBeLessThan(maxTask);
  expect((await publishing).status).toBe(status);
});

import type { RegisteredRelease } from '@daybook/contract/release';
import * as platform from '@daybook/platform';
import { beforeEach, expect, test } from '@jest/globals';
import { mockNetwork } from '../test/mock-network.ts';
import { releaseOf } from '../test/registered.ts';
import { loadContainer, loadPage } from './container.ts';

const network = mockNetwork();
const page = { default: () => null };

let count = 0;
let release: RegisteredRelease & { readonly name: string };
beforeEach(() => {
  count += 1;
  release = { ...releaseOf(`mf-news-${count}`), name: `mf-news-${count}` };
});
const load = async () => loadPage(await loadContainer(release.name, release), '/news');

test('a page comes from the container of its release, which gets the modules of the shell', async () => {
  const provided: Promise<unknown>[] = [];
  network.serve(
    release,
    (path) => path === '/news' && page,
    (shareScope) => {
      for (const versions of Object.values(shareScope))
        provided.push(...Object.values(versions).map(async ({ get }) => (await get())()));
    },
  );
  expect(await load()).toBe(page);
  expect(await Promise.all(provided)).toContainEqual(expect.objectContaining({ navigate: platform.navigate }));
});

test.each([
  ['could not be loaded', () => network.respondTo(release, 'error'), 'could not be loaded'],
  ['set no container', () => network.respondTo(release, () => undefined), 'has no container'],
  ['had no page for the route', () => network.serve(release, () => ({ default: {} })), 'exposes no page for /news'],
  [
    'had a container that failed, and can be initialized only once',
    () =>
      network.serve(
        release,
        () => page,
        () => {
          throw new Error('A shared module is missing.');
        },
      ),
    'A shared module is missing.',
  ],
])('an entry runs again after it %s', async (_what, fail, message) => {
  fail();
  await expect(load()).rejects.toThrow(message);
  network.serve(release, () => page);
  expect(await load()).toBe(page);
  expect(network.requests).toEqual([release.entry, release.entry]);
});

test('the container of an earlier load does not count', async () => {
  network.serve(release, () => page);
  await load();
  network.respondTo(release, () => undefined);
  await expect(load()).rejects.toThrow('has no container');
});

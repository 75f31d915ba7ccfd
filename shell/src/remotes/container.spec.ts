import type { RegisteredRelease } from '@daybook/contract/release';
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
const fail = () => {
  throw new Error('A shared module is missing.');
};

test.each([
  ['could not be loaded', () => network.respondTo(release, 'error'), 'could not be loaded'],
  ['set no container', () => network.respondTo(release, () => undefined), 'has no container'],
  ['had no page for the route', () => network.serve(release, () => ({ default: {} })), 'exposes no page for /news'],
  ['had a container that failed', () => network.serve(release, () => page, fail), 'A shared module is missing.'],
])('an entry runs again after it %s', async (_what, breakRelease, message) => {
  breakRelease();
  await expect(load()).rejects.toThrow(message);
  network.serve(release, () => page);
  expect(await load()).toBe(page);
  expect(network.requests).toEqual([release.entry, release.entry]);
  // The container of an earlier load does not count.
  network.respondTo(release, () => undefined);
  await expect(load()).rejects.toThrow('has no container');
});

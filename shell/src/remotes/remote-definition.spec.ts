import type { RegisteredRelease } from '@daybook/contract/release';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { mockNetwork } from '../test/mock-network.ts';
import { releaseOf } from '../test/registered.ts';

const network = mockNetwork();
const definition = { name: 'mf-news', routes: [] };

let count = 0;
let release: RegisteredRelease & { readonly name: string };
let loadDefinition: typeof import('./remote-definition.ts').loadDefinition;
beforeEach(async () => {
  count += 1;
  release = { ...releaseOf(`mf-news-${count}`), name: `mf-news-${count}` };
  // Each test is a new document: its first remote is loaded without the federation runtime.
  jest.resetModules();
  ({ loadDefinition } = await import('./remote-definition.ts'));
});

/** Serves a release; returns the name of what called its container: the shell itself, or the federation runtime. */
function serve(served = release) {
  const callers: string[] = [];
  network.serve(served, { default: definition }, (provided) => {
    const [module] = Object.values(provided['@daybook/platform'] ?? {});
    callers.push(Object.hasOwn(Object(module), 'useIn') ? 'runtime' : 'shell');
  });
  return callers;
}

test('a definition comes from its container without the federation runtime for the first remote, with it for a second one', async () => {
  const callers = serve();
  // It can be loaded again.
  for (let time = 0; time < 2; time += 1) expect(await loadDefinition(release.name, release)).toEqual(definition);
  const other = { ...releaseOf('mf-second'), name: 'mf-second' };
  const second = serve(other);
  expect(await loadDefinition(other.name, other)).toEqual(definition);
  expect([callers, second]).toEqual([['shell', 'runtime'], ['runtime']]);
  // The container of an earlier load does not count.
  network.respondTo(other, () => undefined);
  await expect(loadDefinition(other.name, other)).rejects.toThrow('has no container');
});

test.each([
  ['could not be loaded', () => network.respondTo(release, 'error'), `could not be loaded`],
  ['set no container', () => network.respondTo(release, () => undefined), `has no container`],
  [
    'had a container that failed, and can be initialized only once',
    () =>
      network.serve(release, { default: definition }, () => {
        throw new Error('A shared module is missing.');
      }),
    'A shared module is missing.',
  ],
])('an entry runs again, with the federation runtime, after it %s', async (_what, fail, message) => {
  fail();
  await expect(loadDefinition(release.name, release)).rejects.toThrow(message);
  const callers = serve();
  expect(await loadDefinition(release.name, release)).toEqual(definition);
  expect(callers).toEqual(['runtime']);
  expect(network.requests).toEqual([release.entry, release.entry]);
});

import type { RegisteredRelease } from '@daybook/contract/release';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { releaseOf } from '../test/registered.ts';
import { ScriptNetwork } from '../test/script-network.ts';

const network = new ScriptNetwork();
afterAll(() => network.stop());

const definition = { name: 'mf-news', routes: [] };

let count = 0;
let name: string;
let release: RegisteredRelease;
let loadDefinition: typeof import('./remote-definition.ts').loadDefinition;
beforeEach(async () => {
  count += 1;
  name = `mf-news-${count}`;
  release = releaseOf(name);
  network.requests.length = 0;
  // Each test is a new document: its first remote is loaded without the federation runtime.
  jest.resetModules();
  ({ loadDefinition } = await import('./remote-definition.ts'));
});

/** Serves the release; returns the name of what called its container: the shell itself, or the federation runtime. */
function serve(served = release) {
  const callers: string[] = [];
  network.serve({ ...served, name }, { default: definition }, (shareScope) => {
    const [provided] = Object.values(shareScope['@daybook/platform'] ?? {});
    callers.push(Object.hasOwn(Object(provided), 'useIn') ? 'runtime' : 'shell');
  });
  return callers;
}

describe('the definition of a remote', () => {
  test('comes from its container without the federation runtime for the first remote, with it for a second one', async () => {
    const callers = serve();
    // It can be loaded again.
    for (let time = 0; time < 2; time += 1) expect(await loadDefinition(name, release)).toEqual(definition);
    name += '-second';
    release = releaseOf(name);
    const second = serve();
    expect(await loadDefinition(name, release)).toEqual(definition);
    expect([callers, second]).toEqual([['shell', 'runtime'], ['runtime']]);
  });

  test('comes with the federation runtime after a failure', async () => {
    network.lose(release);
    await expect(loadDefinition(name, release)).rejects.toThrow(`${release.entry} could not be loaded`);
    const callers = serve();
    expect(await loadDefinition(name, release)).toEqual(definition);
    expect(callers).toEqual(['runtime']);
  });

  test('runs the entry again after its container failed: a container is initialized once', async () => {
    network.serve({ ...release, name }, { default: definition }, () => {
      throw new Error('A shared module is missing.');
    });
    await expect(loadDefinition(name, release)).rejects.toThrow('A shared module is missing.');
    serve();
    expect(await loadDefinition(name, release)).toEqual(definition);
    expect(network.requests).toEqual([release.entry, release.entry]);
  });

  test('fails if the entry sets no container', async () => {
    network.serveEmpty(release);
    await expect(loadDefinition(name, release)).rejects.toThrow(`has no container ${name}@${release.version}`);
  });
});

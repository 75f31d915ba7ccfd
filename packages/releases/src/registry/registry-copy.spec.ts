import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../test/release-folder.ts';
import { RegistryCopy } from './registry-copy.ts';

const remote = 'mf-legal';
const [first, second] = [versionOf(1), versionOf(2)];
const by = { by: 'test' };

let server: TemporaryReleases;
beforeEach(async () => {
  server = createTemporaryReleases();
  for (const version of [first, second]) await server.add(remote, version);
  await server.activate(remote, first, by);
});
afterEach(() => server.remove());

describe('a copy of the registry', () => {
  test('has what was in the registry at the time of the call, also if a read runs already', async () => {
    const { read } = server.registry;
    const started = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    server.registry.read = async (known) => {
      const state = await read.call(server.registry, known);
      started.resolve();
      await go.promise;
      return state;
    };
    const earlier = server.copy.refresh();
    await started.promise;
    server.registry.read = read;
    const other = server.openAgain();
    await other.activate(remote, second, by);
    const later = server.copy.refresh();
    go.resolve();
    await Promise.all([earlier, later]);
    expect(server.copy.stateOf(remote).active).toBe(second);
    other.remove();
  });

  test('keeps a deployment that this server appends while it reads', async () => {
    const { read } = server.registry;
    server.registry.read = async (known) => {
      server.registry.read = read;
      const state = await read.call(server.registry, known);
      const number = server.copy.stateOf(remote).number + 1;
      await server.copy.append({ remote, number, action: 'activate', version: second, why: '', by: 'test' });
      return state;
    };
    await server.copy.refresh();
    expect(server.copy.stateOf(remote)).toMatchObject({ active: second, number: 2 });
    expect(server.problems).toEqual([]);
  });

  test('reports once that the registry can’t be used, with the time since, and once that it can again', async () => {
    const { read } = server.registry;
    server.registry.read = async () => {
      throw new Error('away');
    };
    for (let time = 0; time < 3; time += 1) await expect(server.copy.refresh()).rejects.toThrow('away');
    expect(server.problems).toEqual(['away']);
    expect(server.copy.problem).toEqual({ message: 'away', since: expect.stringMatching(/^2.*Z$/) });
    server.registry.read = read;
    for (let time = 0; time < 3; time += 1) await server.copy.refresh();
    expect(server.copy.problem).toBeUndefined();
    expect(server.recoveries).toEqual([
      expect.stringMatching(/^The release registry can be used again; it could not since 2/),
    ]);
  });
});

describe('the last known state', () => {
  const reopened = () => new RegistryCopy(server.registry, server.folder);

  test('is there after a restart, before the registry was read', () => {
    const copy = reopened();
    expect(copy.stateOf(remote)).toEqual(server.copy.stateOf(remote));
    expect(copy.releasesOf(remote)).toEqual(server.copy.releasesOf(remote));
    expect(copy.releasesOf(remote)).toHaveLength(2);
    expect(copy.deployments()).toEqual(server.copy.deployments());
    expect(readdirSync(server.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each(['', '{', '{}', 'null', '{"deployments":[{}],"releases":7}'])(
    'that is damaged is ignored: %j',
    async (text) => {
      writeFileSync(path.join(server.folder, 'last-known.json'), text);
      const copy = reopened();
      expect(copy.stateOf(remote).active).toBeUndefined();
      await copy.refresh();
      expect(copy.stateOf(remote).active).toBe(first);
    },
  );

  test('that can’t be stored is reported once, and changes nothing else', async () => {
    rmSync(server.folder, { recursive: true });
    writeFileSync(server.folder, 'in the way');
    await server.activate(remote, second, by);
    await server.activate(remote, first, by);
    expect(server.copy.stateOf(remote).active).toBe(first);
    expect(server.problems).toEqual([expect.stringMatching(/^The last known releases can't be stored: /)]);
  });
});

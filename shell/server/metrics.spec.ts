import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTemporaryReleases,
  type TemporaryReleases,
  versionOf,
} from '../../packages/releases/src/test/release-folder.ts';
import { Metrics } from './metrics.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let folder: TemporaryReleases;
beforeEach(async () => {
  folder = createTemporaryReleases(['mf-legal']);
  for (const version of [first, second, third]) await folder.add('mf-legal', version);
  for (const version of [first, second]) await folder.activate('mf-legal', version, { by: 'mirror' });
  await folder.canary('mf-legal', third, 25, { by: 'Ann' });
});
afterEach(() => folder.remove());

const lose = (version: string) => folder.cache.remove('mf-legal', version);
const metrics = async (signed = folder.remotes) => {
  await folder.copy.refresh();
  return new Metrics(folder.remotes, folder.copy, folder.active, signed).registry.metrics();
};

async function shares(): Promise<Readonly<Record<string, number>>> {
  const text = await metrics();
  const found = [...text.matchAll(/^daybook_release_share\{remote="mf-legal",version="(.*)"\} (.*)$/gm)];
  return Object.fromEntries(found.map(([, version, share]) => [version, Number(share)]));
}

describe('the share of visitors that get a release', () => {
  test('counts the active release and its canary, or the previous release while the files of the active one are missing', async () => {
    expect(await shares()).toEqual({ [second]: 0.75, [third]: 0.25 });
    await lose(second);
    expect(await shares()).toEqual({ [first]: 0.75, [third]: 0.25 });
    await lose(third);
    expect(await shares()).toEqual({ [first]: 1 });
  });

  test('is empty if no release is left', async () => {
    for (const version of [first, second, third]) await lose(version);
    expect(await shares()).toEqual({});
  });
});

test('the current problem of an origin is a metric', async () => {
  const problem = async () => /^daybook_release_problem\{.*$/m.exec(await metrics())?.[0];
  expect(await problem()).toBe('daybook_release_problem{remote="mf-legal",reason=""} 0');
  const report = { address: 'http://mf-legal:8080', offered: null };
  const since = '2026-11-22T12:00:00.000Z';
  await folder.registry.reportOrigin('mf-legal', { ...report, problem: { reason: 'refused', message: '', since } });
  expect(await problem()).toBe('daybook_release_problem{remote="mf-legal",reason="refused"} 1');
  await folder.registry.reportOrigin('mf-legal', { ...report, problem: null });
  expect(await problem()).toBe('daybook_release_problem{remote="mf-legal",reason=""} 0');
});

test('the end of the newest accepted signature is a metric, unless the remote needs none any more', async () => {
  const expiry = async (signed?: readonly string[]) =>
    /^daybook_release_signature_expiry_.*$/m.exec(await metrics(signed))?.[0];
  expect(await expiry()).toBeUndefined();
  const signature = { version: second, key: '', signedAt: 1_000, expiresAt: 5_000, integrity: '' };
  await folder.registry.acceptSignature('mf-legal', signature);
  expect(await expiry()).toBe('daybook_release_signature_expiry_timestamp_seconds{remote="mf-legal"} 5');
  expect(await expiry([])).toBeUndefined();
});

test('whether the registry can be used is a metric', async () => {
  const isUp = async () =>
    /^daybook_release_registry_up.*$/m.exec(
      await new Metrics(folder.remotes, folder.copy, folder.active, []).registry.metrics(),
    )?.[0];
  expect(await isUp()).toBe('daybook_release_registry_up 1');
  folder.registry.read = async () => {
    throw new Error('away');
  };
  await folder.active.update();
  expect(await isUp()).toBe('daybook_release_registry_up 0');
});

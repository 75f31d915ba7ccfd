import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { createTemporarySite, releaseOf } from '../../packages/releases/src/test/temporary-site.ts';
import { parseEnvironment } from './environment.ts';
import { ShellBuild } from './pages/shell-build.ts';
import { openMirroredSite } from './site.ts';
import { startRunningSite } from './test/running-site.ts';

test('removes orphaned files of a killed server at start', async () => {
  let orphaned = '';
  const running = await startRunningSite({
    prepare: ({ folder }) => {
      orphaned = path.join(folder, 'releases/.incoming/orphaned');
      mkdirSync(orphaned, { recursive: true });
    },
  });
  expect(existsSync(orphaned)).toBe(false);
  await running.stop();
});

test.each([
  ['none', 'mf-legal, mf-privacy', []],
  [`mf-legal:none,mf-privacy:${'a'.repeat(42)}A`, 'mf-legal', ['mf-privacy']],
])('takes releases without a signature, and warns, only of remotes with none (%s)', async (keys, unsigned, missing) => {
  const temporary = createTemporarySite();
  const names = ['mf-legal', 'mf-privacy'];
  for (const name of names) temporary.release(releaseOf(name));
  const [warnings, errors]: string[][] = [[], []];
  const environment = parseEnvironment({
    BACKEND_URL: 'http://127.0.0.1:9',
    REMOTES: names.map((name) => `${name}=file:${temporary.folderOf(name)}`).join(','),
    RELEASES_FOLDER: path.join(temporary.folder, 'releases'),
    TRUSTED_KEYS: keys,
  });
  const site = openMirroredSite({
    environment,
    shellBuild: new ShellBuild(temporary.shellFolder),
    log: {
      info: () => undefined,
      warn: (message) => warnings?.push(message),
      error: (message) => errors?.push(message),
    },
  });
  await site.start();
  await site.stop();
  expect(warnings).toEqual([expect.stringContaining(`TRUSTED_KEYS is none for ${unsigned}: `)]);
  expect(errors).toEqual(missing.map((name) => expect.stringContaining(`${name}: it is not signed`)));
  expect(site.releases.registry().missing).toEqual(missing);
  temporary.remove();
});

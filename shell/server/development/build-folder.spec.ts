import { rmSync } from 'node:fs';
import path from 'node:path';
import { integrity, releaseOf } from '@daybook/testing/releases';
import { createTemporaryBuilds } from '@daybook/testing/temporary-builds';
import { expect, test } from '@jest/globals';
import { BuildFolder } from './development-releases.ts';

test('the release in a folder stays the last good one during a build and after a bad one, which is reported once', () => {
  const site = createTemporaryBuilds();
  const problems: string[] = [];
  const folder = new BuildFolder('mf-legal', site.folderOf('mf-legal'), (problem) => problems.push(problem));
  const expectProblem = (message: RegExp) => {
    folder.current();
    expect(problems.splice(0)).toEqual([expect.stringMatching(message)]);
    folder.current();
    expect(problems).toEqual([]);
  };
  expectProblem(/^mf-legal: .*release\.json is missing; build the remote with: npm run build -w mf-legal$/);
  const good = site.release(releaseOf('mf-legal'));
  expect(folder.current()?.release).toEqual(good);
  for (const [bad, message] of [
    ['{"name": "mf-le', /^mf-legal: .*is not JSON/],
    ['{"name": "mf-legal"}', /^mf-legal: release\.json is not valid: [\s\S]*contract/],
    [JSON.stringify(releaseOf('mf-signup')), /^mf-legal: it is a release of mf-signup$/],
  ] as const) {
    site.write('mf-legal/release.json', bad);
    expectProblem(message);
    expect(folder.current()?.release).toEqual(good);
  }
  rmSync(path.join(site.folderOf('mf-legal'), 'release.json'));
  expect(folder.current()?.release).toEqual(good);
  const entry = 'remoteEntry.00000002.js';
  const newer = releaseOf('mf-legal', { version: '1.0.1-00000002', entry, files: { [entry]: { integrity, size: 7 } } });
  const written = site.release(newer);
  expect(folder.current()?.release).toEqual(written);
  site.remove();
});

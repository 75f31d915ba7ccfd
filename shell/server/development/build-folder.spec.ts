import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTemporarySite,
  integrity,
  releaseOf,
  type TemporarySite,
} from '../../../packages/releases/src/test/temporary-site.ts';
import { BuildFolder } from './development-releases.ts';

let site: TemporarySite;
let problems: string[];
let folder: BuildFolder;

beforeEach(() => {
  site = createTemporarySite();
  problems = [];
  folder = new BuildFolder('mf-legal', site.folderOf('mf-legal'), (problem: string) => problems.push(problem));
});
afterEach(() => site.remove());

const good = releaseOf('mf-legal');
const newer = releaseOf('mf-legal', {
  version: '1.0.1-00000002',
  entry: 'remoteEntry.00000002.js',
  files: { 'remoteEntry.00000002.js': { integrity, size: 7 } },
});

const badReleases: [string, string | object, RegExp][] = [
  ['is no JSON', '{"name": "mf-le', /^mf-legal: .*is not JSON/],
  ['lacks a part', { name: 'mf-legal' }, /^mf-legal: release\.json is not valid: [\s\S]*contract/],
  ['is of another remote', releaseOf('mf-signup'), /^mf-legal: it is a release of mf-signup$/],
];

const writeBad = (release: string | object) =>
  site.write('mf-legal/release.json', typeof release === 'string' ? release : JSON.stringify(release));

describe('the release in a folder', () => {
  test('is reported once if it is missing, with the build command', () => {
    folder.current();
    folder.current();
    expect(problems).toEqual([
      expect.stringMatching(/^mf-legal: .*release\.json is missing; build the remote with: npm run build -w mf-legal$/),
    ]);
  });

  test.each(badReleases)('does not replace the last good one if it %s', (_what, release, report) => {
    site.release(good);
    const last = folder.current();
    writeBad(release);
    expect(folder.current()).toBe(last);
    expect(problems).toEqual([expect.stringMatching(report)]);
  });

  test('stays the last good one during a build, and is replaced after it', () => {
    site.release(good);
    const last = folder.current();
    rmSync(path.join(site.folderOf('mf-legal'), 'release.json'));
    expect(folder.current()).toBe(last);
    const written = site.release(newer);
    expect(folder.current()).toEqual(written);
  });
});

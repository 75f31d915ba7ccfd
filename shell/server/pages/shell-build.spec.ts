import { rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createTemporarySite,
  prerenderedShell,
  type TemporarySite,
} from '../../../packages/releases/src/test/temporary-site.ts';
import { ShellBuild } from './shell-build.ts';

let site: TemporarySite;
beforeEach(() => {
  site = createTemporarySite();
});
afterEach(() => site.remove());

const manifestOf = (script: string) =>
  JSON.stringify({
    version: '1.0.0-00000002',
    scripts: [{ file: script, integrity: `sha384-${'A'.repeat(64)}` }],
    styles: [],
    ...prerenderedShell,
  });

describe('the build of the shell', () => {
  test('stays the last good one during a build, and is reloaded after it', () => {
    const build = new ShellBuild(site.shellFolder);
    const last = build.manifest();
    rmSync(path.join(site.shellFolder, 'shell.json'));
    expect(build.manifest()).toBe(last);
    site.write('shell/shell.json', manifestOf('shell.99999999.js'));
    utimesSync(path.join(site.shellFolder, 'shell.json'), 9, 9);
    expect(build.manifest().scripts[0]?.file).toBe('shell.99999999.js');
  });

  test('is reported with the build command if it is missing', () => {
    expect(() => new ShellBuild(site.folderOf('nowhere')).manifest()).toThrow(
      /nowhere.shell\.json is missing; build the shell with: npm run build/,
    );
  });
});

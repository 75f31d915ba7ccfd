import { rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryBuilds, prerenderedShell } from '@daybook/testing/temporary-builds';
import { expect, test } from '@jest/globals';
import { ShellBuild } from './shell-build.ts';

test('the shell stays the last good build during a build, and is reloaded after it', () => {
  const site = createTemporaryBuilds();
  const build = new ShellBuild(site.shellFolder);
  const last = build.manifest();
  rmSync(path.join(site.shellFolder, 'shell.json'));
  expect(build.manifest()).toBe(last);
  const scripts = [{ file: 'shell.99999999.js', integrity: `sha384-${'A'.repeat(64)}` }];
  for (const [second, text] of ['{', JSON.stringify({ ...last, ...prerenderedShell, scripts })].entries()) {
    site.write('shell/shell.json', text);
    utimesSync(path.join(site.shellFolder, 'shell.json'), second, second);
    expect(build.manifest().scripts).toEqual(second === 0 ? last.scripts : scripts);
  }
  expect(() => new ShellBuild(site.folderOf('nowhere')).manifest()).toThrow(
    /nowhere.shell\.json is missing; build the shell with: npm run build/,
  );
  site.remove();
});

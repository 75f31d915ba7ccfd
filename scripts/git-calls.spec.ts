import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { expect, test } from '@jest/globals';

test('git is called in one module, whose result no configuration changes, and for repositories of tests', () => {
  const call = /\b(?:spawn|exec|execFile|execa|fork)(?:Sync)?\(\s*['"`]git\b/;
  const sources = globSync('{deploy,packages,shell,mf-*,backend,scripts,e2e}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: ['**/node_modules', '{mf-*,shell,backend}/build'],
  });
  expect(sources.filter((file) => call.test(readFileSync(path.join(root, file), 'utf8'))).sort()).toEqual([
    // Builds a former version in the tests of upgrades.
    'e2e/compose/upgrade.spec.ts',
    // Compares the dates of legal texts with their former ones.
    'mf-legal/src/legal-page/dates.spec.ts',
    'packages/build/src/git.ts',
    'packages/testing/src/temporary-repository.ts',
  ]);
});

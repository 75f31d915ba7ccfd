import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { routeOf } from '../../test/temporary-site.ts';
import { checkFragments } from './checked-fragments.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-fragments-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a release whose fragments take too much processor time is refused, and its worker ended', async () => {
  // Each attribute is compared with all before it.
  const attributes = Array.from({ length: 190_000 }, (_, each) => each.toString(36)).join(' ');
  writeFileSync(path.join(folder, 'a.html'), `<p ${attributes}></p>`);
  const release = { routes: [routeOf('/terms', { fragment: 'a.html' })] };
  await expect(checkFragments(folder, release, new AbortController().signal, 0.05)).rejects.toMatchObject({
    reason: 'fragment',
    message: 'to check its fragments takes more than 0.05 s',
  });
});

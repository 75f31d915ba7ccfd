import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brokenLinks } from '@daybook/build/links';
import { builtRelease } from '@daybook/runner/releases';
import { buildFolder, remotes } from '@daybook/runner/workspaces';
import { expect, test } from '../support/test.ts';

test('no page has a broken link', () => {
  const releases = remotes.map(builtRelease);
  const pages = releases.flatMap(({ name, routes }) =>
    routes.map(
      ({ path: page, fragment = '' }) => [page, readFileSync(path.join(buildFolder(name), fragment), 'utf8')] as const,
    ),
  );
  const redirects = releases.flatMap(({ redirects = {} }) => Object.keys(redirects));
  expect(brokenLinks(new Map(pages), new Set([...pages.map(([page]) => page), ...redirects]))).toEqual([]);
});

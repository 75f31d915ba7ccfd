import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { builtWorkspaces, remoteOrigins, remotes, root } from './workspaces.ts';

test('the remotes are the folders of the repository that are called mf-…', () => {
  expect(remotes).toEqual(expect.arrayContaining(['mf-legal', 'mf-offers', 'mf-privacy', 'mf-signup']));
  for (const remote of remotes) expect(existsSync(path.join(root, remote, 'package.json'))).toBe(true);
});

test('remotes, shell and backend have a build', () => {
  expect(builtWorkspaces).toEqual([...remotes, 'shell', 'backend']);
});

test('each remote comes from its own dist folder, or from where one says', () => {
  expect(remoteOrigins().split(',')).toContain(`mf-legal=file:${path.join(root, 'mf-legal', 'dist')}`);
  expect(remoteOrigins((remote) => `/releases/${remote}`).split(',')).toEqual(
    remotes.map((remote) => `${remote}=file:/releases/${remote}`),
  );
});

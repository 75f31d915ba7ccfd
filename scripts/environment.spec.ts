import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ownEnvironment } from './environment.ts';

test('our processes inherit no variable of another program or site', () => {
  const ours = { PATH: '/bin', LC_ALL: 'tr_TR.UTF-8', HTTPS_PROXY: 'http://proxy:3128', DOCKER_HOST: 'tcp://engine' };
  const others = { NODE_ENV: 'production', GIT_DIR: '.git', PGHOST: 'db', DATABASE_URL: 'postgres://db', HOST: 'a' };
  const direct = '.internal,localhost,127.0.0.1,::1';
  expect(ownEnvironment({ ...ours, ...others, NO_PROXY: '.internal', LOG_LEVEL: 'INFO' })).toEqual({
    ...ours,
    no_proxy: direct,
    NO_PROXY: direct,
  });
});

describe('npm start', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'daybook-environment-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs only the script that comes first, in a folder without packages, and without npm. */
  function runIn(name: string, packages: object = {}) {
    const clone = path.join(folder, name, 'daybook');
    mkdirSync(path.join(clone, 'scripts'), { recursive: true });
    cpSync(path.join(root, 'scripts/install.mjs'), path.join(clone, 'scripts/install.mjs'));
    writeFileSync(path.join(clone, 'package-lock.json'), JSON.stringify({ packages }));
    const options = { cwd: clone, env: { PATH: '/dev/null/missing' }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, ['scripts/install.mjs'], options);
    return { clone, status, stderr };
  }

  test('says in one line that it cannot run in a folder with some characters', () => {
    for (const name of ['C#', 'a:b']) {
      const { status, stderr } = runIn(name);
      expect([status, stderr]).toEqual([1, expect.stringContaining('This project cannot run in ')]);
    }
    expect(runIn("100% new it's, Büro").stderr).not.toContain('This project cannot run');
  });

  test('links a workspace that is new, without npm', () => {
    const modules = path.join(folder, 'pulled/daybook/node_modules');
    mkdirSync(path.join(modules, '.bin'), { recursive: true });
    writeFileSync(path.join(modules, '.bin/node'), '');
    const { clone, status } = runIn('pulled', { 'node_modules/mf-new': { resolved: 'mf-new', link: true } });
    expect([status, readlinkSync(path.join(clone, 'node_modules/mf-new'))]).toEqual([0, '../mf-new']);
  });
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '@daybook/testing/workspaces';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ownEnvironment } from './environment.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-environment-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the environment of our processes', () => {
  test('has the person, the machine and the way to other machines', () => {
    const variables = {
      PATH: '/bin',
      TMPDIR: '/var/tmp',
      LC_ALL: 'tr_TR.UTF-8',
      TZ: 'Asia/Kathmandu',
      HTTPS_PROXY: 'http://proxy:3128',
      DOCKER_HOST: 'tcp://engine',
      BROWSER_PATH: '/usr/bin/chromium',
      LOG_LEVEL: 'debug',
    };
    expect(ownEnvironment(variables)).toMatchObject(variables);
  });

  test('has no variable of another program or another site', () => {
    const others = { NODE_ENV: 'production', GIT_DIR: '.git', PGHOST: 'db', DATABASE_URL: 'postgres://db', HOST: 'a' };
    const own = ownEnvironment({ ...others, LOG_LEVEL: 'INFO' });
    for (const name of [...Object.keys(others), 'LOG_LEVEL']) expect(own).not.toHaveProperty(name);
  });

  test('reaches this machine without a proxy', () => {
    const direct = '.internal,localhost,127.0.0.1,::1';
    expect(ownEnvironment({ NO_PROXY: '.internal' })).toMatchObject({ NO_PROXY: direct, no_proxy: direct });
  });

  test('is that of a command from its first import, and of each child', () => {
    const file = pathToFileURL(path.join(root, 'scripts/use-own-environment.ts'));
    const child = 'console.log(JSON.stringify(process.env))';
    const program = `await import(${JSON.stringify(file.href)});
      const { execFileSync } = await import('node:child_process');
      ${child}; process.stdout.write(execFileSync(process.execPath, ['-e', '${child}']));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { PATH: process.env.PATH, TZ: 'Pacific/Chatham', PGHOST: 'db' },
      encoding: 'utf8',
    });
    const seen = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(seen.map(({ TZ, PGHOST }) => [TZ, PGHOST])).toEqual(Array(2).fill(['Pacific/Chatham', undefined]));
  });
});

describe('npm start', () => {
  /** Runs only the script that comes first, in a folder without packages, with a program in place of npm. */
  function runIn(name: string, packages: object = {}, programs = '/dev/null/missing') {
    const clone = path.join(folder, name, 'daybook');
    mkdirSync(path.join(clone, 'scripts'), { recursive: true });
    cpSync(path.join(root, 'scripts/install.mjs'), path.join(clone, 'scripts/install.mjs'));
    writeFileSync(path.join(clone, 'package-lock.json'), JSON.stringify({ packages }));
    const options = { cwd: clone, env: { PATH: programs }, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, ['scripts/install.mjs'], options);
    return { clone, status, stderr };
  }

  test.each(['C#', 'a:b'])('says in one line that it cannot run in the folder %j', (name) => {
    const { status, stderr } = runIn(name);
    expect([status, stderr]).toEqual([1, expect.stringContaining('This project cannot run in ')]);
  });

  test('runs in a folder with spaces and accents', () => {
    expect(runIn("100% new it's, Büro").stderr).not.toContain('This project cannot run');
  });

  test('links a workspace that is new, without npm', () => {
    const modules = path.join(folder, 'pulled/daybook/node_modules');
    mkdirSync(path.join(modules, '.bin'), { recursive: true });
    writeFileSync(path.join(modules, '.bin/node'), '');
    const { clone, status } = runIn('pulled', { 'node_modules/mf-new': { resolved: 'mf-new', link: true } });
    expect([status, readlinkSync(path.join(clone, 'node_modules/mf-new'))]).toEqual([0, '../mf-new']);
  });

  test('installs again without the cache alone if it lacks a version', () => {
    const programs = path.join(folder, 'programs');
    mkdirSync(programs);
    const npm = '#!/bin/sh\ncase "$*" in *--prefer-offline*) exit 1;; esac\necho installed >&2\n';
    writeFileSync(path.join(programs, 'npm'), npm, { mode: 0o755 });
    expect(runIn('stale', {}, `${programs}:/bin`)).toMatchObject({ status: 0, stderr: 'installed\n' });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readSiteSettings } from './site-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the settings of npm start', () => {
  test('reach the server that reads them, and no other variable does', () => {
    const settings = readSiteSettings({
      PATH: '/bin',
      PGHOST: 'db',
      PORT: '9000',
      PUBLIC_URL: 'https://daybook.example',
      SUPPORT_ADDRESS: 'help@daybook.example',
      LIMIT_NETWORK_SIGNUPS: '10',
      WEBHOOK_URL: '',
    });
    const both = { PUBLIC_URL: 'https://daybook.example' };
    expect(settings.shell).toEqual({ ...both, SUPPORT_ADDRESS: 'help@daybook.example' });
    expect(settings.backend).toEqual({ ...both, LIMIT_NETWORK_SIGNUPS: '10' });
  });

  test('include secrets in files; a database and the file of another one do not conflict', () => {
    const file = path.join(folder, 'url');
    writeFileSync(file, 'postgres://shell@localhost/daybook\n');
    const url = 'postgres://daybook@localhost/daybook';
    const { all, shell } = readSiteSettings({ DATABASE_URL: url, RELEASES_DATABASE_URL_FILE: file });
    expect(all).toEqual({ DATABASE_URL: url, RELEASES_DATABASE_URL: 'postgres://shell@localhost/daybook' });
    expect(shell).toEqual({});
    expect(() => readSiteSettings({ COOKIE_SECRET: 'a'.repeat(32), COOKIE_SECRET_FILE: file })).toThrow(
      'COOKIE_SECRET: and COOKIE_SECRET_FILE are both set',
    );
  });

  test('that are invalid are named, each once, before anything starts', () => {
    expect(() => readSiteSettings({ LOG_LEVEL: 'INFO', PUBLIC_URL: '/app' })).toThrow(
      /^These settings cannot be used:\n {2}PUBLIC_URL: must be the URL of the site, such as .*\n {2}LOG_LEVEL: must be one of [^\n]*$/,
    );
  });

  test.each([
    ['x86_64-conda-linux-gnu', undefined],
    ['anns-laptop', undefined],
    ['0.0.0.0', '0.0.0.0'],
    ['::1', '::1'],
  ])('take HOST=%s only for an address', (HOST, expected) => {
    expect(readSiteSettings({ HOST }).all.HOST).toBe(expected);
  });
});

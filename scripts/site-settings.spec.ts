import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readSiteSettings } from './site-settings.ts';

const folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-settings-'));
afterAll(() => folder.remove());

describe('the settings of npm start', () => {
  test('reach the server that reads them, and no other variable does', () => {
    const both = { PUBLIC_URL: 'https://daybook.example' };
    const settings = readSiteSettings({
      ...both,
      PGHOST: 'db',
      PORT: '9000',
      SUPPORT_ADDRESS: 'help@daybook.example',
      LIMIT_NETWORK_SIGNUPS: '10',
      WEBHOOK_URL: '',
    });
    expect(settings.shell).toEqual({ ...both, SUPPORT_ADDRESS: 'help@daybook.example' });
    expect(settings.backend).toEqual({ ...both, LIMIT_NETWORK_SIGNUPS: '10' });
  });

  test('include secrets in files', () => {
    const file = path.join(folder.path, 'url');
    writeFileSync(file, 'postgres://shell@localhost/daybook\n');
    const { all } = readSiteSettings({ RELEASES_DATABASE_URL_FILE: file });
    expect(all).toEqual({ RELEASES_DATABASE_URL: 'postgres://shell@localhost/daybook' });
  });

  test('that are invalid are named, each once, before anything starts', () => {
    expect(() => readSiteSettings({ LOG_LEVEL: 'INFO', PUBLIC_URL: '/app' })).toThrow(
      /^These settings cannot be used:\n {2}PUBLIC_URL: must be the URL of the site, such as .*\n {2}LOG_LEVEL: must be one of [^\n]*$/,
    );
  });

  test('take HOST only for an address', () => {
    expect(readSiteSettings({ HOST: 'anns-laptop' }).all.HOST).toBeUndefined();
    expect(readSiteSettings({ HOST: '0.0.0.0' }).all.HOST).toBe('0.0.0.0');
  });
});

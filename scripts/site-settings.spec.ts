import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { readSiteSettings } from './site-settings.ts';

test('settings, also from files, reach the server that reads them', () => {
  const folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-settings-'));
  const file = path.join(folder.path, 'secret');
  writeFileSync(file, 'postgres://shell@localhost/daybook\n');
  const PUBLIC_URL = 'https://daybook.example';
  const ours = { SUPPORT_ADDRESS: 'help@daybook.example', LIMIT_NETWORK_SIGNUPS: '10' };
  const others = { PGHOST: 'db', PORT: '9000', HOST: 'anns-laptop', WEBHOOK_URL: '' };
  const settings = readSiteSettings({ PUBLIC_URL, ...ours, ...others, RELEASES_DATABASE_URL_FILE: file });
  folder.remove();
  expect(settings.shell).toEqual({ PUBLIC_URL, SUPPORT_ADDRESS: 'help@daybook.example' });
  expect(settings.backend).toEqual({ PUBLIC_URL, LIMIT_NETWORK_SIGNUPS: '10' });
  expect(settings.all).toMatchObject({ RELEASES_DATABASE_URL: 'postgres://shell@localhost/daybook' });
  expect(settings.all).not.toHaveProperty('HOST');
});

test('invalid settings are named, each once, before anything starts', () => {
  expect(() => readSiteSettings({ LOG_LEVEL: 'INFO', PUBLIC_URL: '/app' })).toThrow(
    /^These settings cannot be used:\n {2}PUBLIC_URL: must be the URL of the site, such as .*\n {2}LOG_LEVEL: must be one of [^\n]*$/,
  );
});

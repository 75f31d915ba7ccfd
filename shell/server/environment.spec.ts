import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultSiteSettings, offerIds } from '@daybook/contract/site';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterAll, expect, test } from '@jest/globals';
import { EnvironmentError, parseEnvironment } from './environment.ts';

const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string) => {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
};
const TOKENS_FILE = write('tokens', `legal-ci mf-legal ${'a'.repeat(64)}\nann * ${'b'.repeat(64)}\n`);

const required = {
  BACKEND_URL: 'http://127.0.0.1:3000',
  TOKENS_FILE,
  RELEASES_DATABASE_URL: 'postgres://shell@localhost/daybook',
};

test('all but tokens and database have defaults, and settings are parsed', () => {
  const { settings, ...defaults } = parseEnvironment(required);
  expect(settings).toEqual(defaultSiteSettings);
  // docs/configuration.md, which is made from the schema, has the others.
  expect(defaults).toMatchObject({ PUBLIC_URL: 'http://localhost:8080', RELEASES_KEPT: 50 });
  expect(
    parseEnvironment({
      ...required,
      PUBLIC_URL: 'https://daybook.example/',
      BACKEND_URL: 'https://backend.internal/',
      DEVELOPMENT_BUILDS: '{"mf-legal": "/srv/Web, Sites/a=b"}',
      DEVELOPMENT: 'true',
      SPONSOR_URLS: 'vivint=https://a.example/2?x=1,2&y==\n tmobile=https://a.example/4 ',
      PRIVACY_REQUESTS: 'record',
    }),
  ).toMatchObject({
    PUBLIC_URL: 'https://daybook.example',
    BACKEND_URL: 'https://backend.internal',
    DEVELOPMENT_BUILDS: [{ name: 'mf-legal', folder: '/srv/Web, Sites/a=b' }],
    settings: {
      sponsorAddresses: {
        ...defaultSiteSettings.sponsorAddresses,
        vivint: 'https://a.example/2?x=1,2&y==',
        tmobile: 'https://a.example/4',
      },
      privacyRequests: 'record',
    },
  });
});

const noBackend = 'must be the address of the backend, such as http://127.0.0.1:3000';
test.each([
  ['BACKEND_URL', 'http://backend:3000/api', noBackend],
  ['TOKENS_FILE', '/nowhere/tokens', "ENOENT: no such file or directory, stat '/nowhere/tokens'"],
  ['DEVELOPMENT_BUILDS', '{"mf-legal": "build"}', 'is only for DEVELOPMENT=true'],
  ['DEVELOPMENT_BUILDS', '{"../legal": "build"}', 'must be JSON such as {"mf-legal": "/srv/mf-legal/build"}'],
  ['RELEASES_KEPT', '1', 'must be a whole number from 2 to 1000'],
  [
    'SPONSOR_URLS',
    'vivint=https://a.example grocery=javascript:alert(1)',
    'has an address of grocery that must be an absolute http or https address',
  ],
  ['SPONSOR_URLS', 'grocery=https://a.example grocery=https://b.example', 'names grocery twice'],
  ['SPONSOR_URLS', 'toString=https://a.example', `has “toString”, which is none of ${offerIds.join(', ')}`],
])('%s=%p is rejected: it %s', (name, value, reason) => {
  expect(() => parseEnvironment({ ...required, [name]: value })).toThrow(new EnvironmentError([`${name}: ${reason}`]));
});

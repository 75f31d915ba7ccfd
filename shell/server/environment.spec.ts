import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultSiteSettings, offerIds } from '@daybook/contract/site';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterAll, expect, test } from '@jest/globals';
import { EnvironmentError, parseEnvironment } from './environment.ts';

const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const TOKENS_FILE = path.join(folder, 'tokens');
writeFileSync(TOKENS_FILE, `legal-ci mf-legal ${'a'.repeat(64)}\n`);

const required = {
  BACKEND_URL: 'http://127.0.0.1:3000',
  TOKENS_FILE,
  RELEASES_DATABASE_URL: 'postgres://shell@localhost/daybook',
};

test('all but tokens and database have defaults, and settings are parsed', () => {
  expect(parseEnvironment(required).settings).toEqual(defaultSiteSettings);
  const { sponsorAddresses } = defaultSiteSettings;
  const [vivint, tmobile] = ['https://a.example/2?x=1,2&y==', 'https://a.example/4'];
  expect(
    parseEnvironment({
      ...required,
      PUBLIC_URL: 'https://daybook.example/',
      BACKEND_URL: 'https://backend.internal/',
      SPONSOR_URLS: `vivint=${vivint}\n tmobile=${tmobile} `,
      PRIVACY_REQUESTS: 'record',
    }),
  ).toMatchObject({
    PUBLIC_URL: 'https://daybook.example',
    BACKEND_URL: 'https://backend.internal',
    settings: { sponsorAddresses: { ...sponsorAddresses, vivint, tmobile }, privacyRequests: 'record' },
  });
});

const noAddress = 'has an address of grocery that must be an absolute http or https address';
test.each([
  ['BACKEND_URL', 'http://backend:3000/api', 'must be the address of the backend, such as http://127.0.0.1:3000'],
  ['TOKENS_FILE', '/nowhere/tokens', "ENOENT: no such file or directory, stat '/nowhere/tokens'"],
  ['DEVELOPMENT_BUILDS', '{"mf-legal": "build"}', 'is only for DEVELOPMENT=true'],
  ['RELEASES_KEPT', '1', 'must be a whole number from 2 to 1000'],
  ['SPONSOR_URLS', 'vivint=https://a.example grocery=javascript:alert(1)', noAddress],
  ['SPONSOR_URLS', 'grocery=https://a.example grocery=https://b.example', 'names grocery twice'],
  ['SPONSOR_URLS', 'toString=https://a.example', `has “toString”, which is none of ${offerIds.join(', ')}`],
])('%s=%p is rejected: it %s', (name, value, reason) => {
  expect(() => parseEnvironment({ ...required, [name]: value })).toThrow(new EnvironmentError([`${name}: ${reason}`]));
});

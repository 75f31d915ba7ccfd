import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultSiteSettings, offerIds } from '@daybook/contract/site';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { expect, test } from '@jest/globals';
import { EnvironmentError, parseEnvironment } from './environment.ts';

const [key, other] = [`${'a'.repeat(42)}A`, `${'-_'.repeat(21)}8`];
const required = {
  BACKEND_URL: 'http://127.0.0.1:3000',
  TEAM_KEYS: `mf-legal:${key}`,
  RELEASES_DATABASE_URL: 'postgres://shell@localhost/daybook',
};

function rejectionOf(variables: Record<string, string>): string {
  try {
    parseEnvironment({ ...required, ...variables });
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
  throw new Error('These variables were taken.');
}

test('has defaults for all but keys and registry, and parses addresses, switches and the settings of pages', () => {
  const { settings, ...defaults } = parseEnvironment(required);
  expect(settings).toEqual(defaultSiteSettings);
  // docs/configuration.md, which is made from the schema, has the others.
  expect(defaults).toMatchObject({ PUBLIC_URL: 'http://localhost:8080', operatorTokens: [], operatorSecret: '' });
  expect(
    parseEnvironment({
      PORT: '',
      PUBLIC_URL: 'https://daybook.example/',
      BACKEND_URL: 'https://backend.internal/',
      TEAM_KEYS: required.TEAM_KEYS,
      RELEASES_DATABASE_URL: required.RELEASES_DATABASE_URL,
      DEVELOPMENT_BUILDS: '{"mf-legal": "/srv/Web, Sites/a=b", "mf-offers": "build"}',
      OPERATOR_TOKEN: 'a-token-of-many-characters',
      DEVELOPMENT: 'true',
      SUPPORT_ADDRESS: 'help@daily.example',
      SPONSOR_URLS: 'vivint=https://a.example/2?x=1,2&y==\n tmobile=https://a.example/4 ',
      HOUSING_GUIDE_URL: 'https://a.example/5',
      PRIVACY_REQUESTS: 'record',
    }),
  ).toMatchObject({
    PORT: 8080,
    PUBLIC_URL: 'https://daybook.example',
    BACKEND_URL: 'https://backend.internal',
    DEVELOPMENT_BUILDS: [
      { name: 'mf-legal', folder: '/srv/Web, Sites/a=b' },
      { name: 'mf-offers', folder: 'build' },
    ],
    operatorTokens: [{ token: 'a-token-of-many-characters' }],
    operatorSecret: ':a-token-of-many-characters',
    DEVELOPMENT: true,
    settings: {
      supportAddress: 'help@daily.example',
      sponsorAddresses: {
        ...defaultSiteSettings.sponsorAddresses,
        vivint: 'https://a.example/2?x=1,2&y==',
        tmobile: 'https://a.example/4',
      },
      housingGuideAddress: 'https://a.example/5',
      privacyRequests: 'record',
    },
  });
});

const noBackend = 'must be the address of the backend, such as http://127.0.0.1:3000';
const noDatabase = 'must be a URL such as postgres://user:password@host:5432/database';
test.each([
  ['PORT', 'http', 'must be a whole number from 0 to 65535'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'x', 'must be the URL of a collector, such as http://127.0.0.1:4318'],
  ['BACKEND_URL', 'http://one:3000,http://two:3000', noBackend],
  ['BACKEND_URL', 'http://backend:3000/api', noBackend],
  ['BACKEND_URL', 'http://me:x@backend:3000', noBackend],
  ['TEAM_KEYS', '', 'is required'],
  ['TEAM_KEYS', 'mf-legal:x', 'must be pairs of <remote>:<public key>, with keys of 43 characters; pair 1 is not'],
  ['DEVELOPMENT_BUILDS', '{"mf-legal": "build"}', 'is only for DEVELOPMENT=true'],
  ...['mf-legal=build', '{"../legal": "build"}', '{"mf-legal": ""}', '[]'].map((text) => [
    'DEVELOPMENT_BUILDS',
    text,
    'must be JSON such as {"mf-legal": "/srv/mf-legal/build"}',
  ]),
  ['RELEASES_DATABASE_URL', '', 'is required'],
  ['RELEASES_DATABASE_URL', 'mysql://shell@localhost/daybook', noDatabase],
  ['RELEASES_KEPT', '1', 'must be a whole number from 2 to 1000'],
  ['OPERATOR_TOKEN', 'short', 'must have 24 characters or more'],
  ['OPERATOR_TOKENS', `Ann:${'a'.repeat(24)},Ann:${'b'.repeat(24)}`, 'has the same name twice'],
  ['DEVELOPMENT', 'perhaps', 'must be true or false'],
  ['SUPPORT_ADDRESS', 'support', 'must be an e-mail address'],
  ...['=javascript:alert(1)', '=', ''].map((rest) => [
    'SPONSOR_URLS',
    `vivint=https://a.example grocery${rest}`,
    'has an address of grocery that must be an absolute http or https address',
  ]),
  ['SPONSOR_URLS', 'grocery=https://a.example grocery=https://b.example', 'names grocery twice'],
  ['SPONSOR_URLS', 'toString=https://a.example', `has “toString”, which is none of ${offerIds.join(', ')}`],
  ['HOUSING_GUIDE_URL', 'data:text/html,x', 'must be an absolute http or https address'],
  ['PRIVACY_REQUESTS', 'yes', 'must be simulate or record'],
])('rejects %s=%p and names it: it %s', (name, value, reason) => {
  expect(rejectionOf({ [name]: value })).toBe(`These settings cannot be used:\n  ${name}: ${reason}`);
});

test('requires operators in production, and rejects a token of examples', () => {
  const production = { NODE_ENV: 'production' };
  expect(rejectionOf(production)).toContain('  OPERATOR_TOKEN: is required in production');
  const OPERATOR_TOKEN = 'operator-secret-of-the-site';
  const example = rejectionOf({ ...production, OPERATOR_TOKEN });
  expect(example).toContain('  OPERATOR_TOKEN: contains a word of examples');
  expect(example).not.toContain(OPERATOR_TOKEN);
  const random = () => randomBytes(24).toString('hex');
  const RELEASES_DATABASE_URL = `postgres://shell:${random()}@postgres:5432/daybook`;
  expect(rejectionOf({ ...production, OPERATOR_TOKENS: `Ann:${OPERATOR_TOKEN}` })).toContain(
    '  OPERATOR_TOKENS: a secret in it contains a word of examples',
  );
  const [ann, bob] = [random(), `${random()}:x-1x-1`];
  const folder = makeTemporaryFolder();
  const OPERATOR_TOKENS_FILE = path.join(folder, 'operator-tokens');
  writeFileSync(OPERATOR_TOKENS_FILE, `Ann Müller:${ann},\nBob:${bob}\n`);
  const whole = { ...required, ...production, RELEASES_DATABASE_URL, OPERATOR_TOKENS_FILE };
  expect(parseEnvironment(whole).operatorTokens).toEqual([
    { name: 'Ann Müller', token: ann },
    { name: 'Bob', token: bob },
  ]);
  rmSync(folder, { recursive: true });
});

test('derives one operator secret from all tokens in any order', () => {
  const [ann, bob] = ['Ann:a-token-of-many-characters', 'Bob:b-token-of-many-characters'];
  const secretOf = (OPERATOR_TOKENS: string) => parseEnvironment({ ...required, OPERATOR_TOKENS }).operatorSecret;
  expect(secretOf(`${ann},${bob}`)).toBe(secretOf(`${bob},${ann}`));
  expect(secretOf(ann)).not.toBe(secretOf(`${ann},${bob}`));
});

test('has the keys of teams, also from a file, which is read again', () => {
  const TEAM_KEYS_FILE = path.join(makeTemporaryFolder(), 'keys');
  writeFileSync(TEAM_KEYS_FILE, `\nmf-legal: ${key}\n\n \t\nmf-later:${key},\r\nmf-legal:${other}\n`);
  const { teamKeys } = parseEnvironment({ ...required, TEAM_KEYS: '', TEAM_KEYS_FILE });
  expect([teamKeys.remotes(), teamKeys.keysOf('mf-legal')]).toEqual([
    ['mf-legal', 'mf-later'],
    [key, other],
  ]);
  rmSync(path.dirname(TEAM_KEYS_FILE), { recursive: true });
});

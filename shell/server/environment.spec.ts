import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultSiteSettings, offerIds } from '@daybook/contract/site';
import { describe, expect, test } from '@jest/globals';
import { makeTemporaryFolder } from '../../packages/releases/src/test/temporary-folder.ts';
import { EnvironmentError, parseEnvironment } from './environment.ts';

const required = { BACKEND_URL: 'http://127.0.0.1:3000', REMOTES: 'mf-legal=file:mf-legal/release' };

function rejectionOf(variables: Record<string, string>): string {
  try {
    parseEnvironment({ ...required, ...variables });
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
  throw new Error('These variables were taken.');
}

test('has defaults for all but the remotes, and parses addresses, switches and the settings of pages', () => {
  const { settings, ...defaults } = parseEnvironment(required);
  expect(settings).toEqual(defaultSiteSettings);
  // docs/configuration.md, which is made from the schema, has the others.
  expect(defaults).toMatchObject({ PUBLIC_URL: 'http://localhost:8080', operatorTokens: [], operatorSecret: '' });
  expect(
    parseEnvironment({
      PORT: '',
      PUBLIC_URL: 'https://daybook.example/',
      BACKEND_URL: 'https://backend.internal/',
      REMOTES: 'mf-legal=file:/srv/a=b, mf-offers=http://x, mf-signup=http://mf-signup:8080/release',
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
    REMOTES: [
      { name: 'mf-legal', origin: 'file:/srv/a=b' },
      { name: 'mf-offers', origin: 'http://x' },
      { name: 'mf-signup', origin: 'http://mf-signup:8080/release' },
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
const noRemote = (text: string) => `has “${text}” in it; write <name>=file:<folder> or <name>=http://<host>`;
const noFolder =
  'has an address with a ? or # in it; write only the address of the folder of release.json, such as http://mf-legal:8080';
const noDatabase = 'must be an address such as postgres://user:password@host:5432/database';
test.each([
  ['PORT', 'http', 'must be a whole number from 0 to 65535'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'x', 'must be the address of a collector, such as http://127.0.0.1:4318'],
  ['BACKEND_URL', 'http://one:3000,http://two:3000', noBackend],
  ['BACKEND_URL', 'http://backend:3000/api', noBackend],
  ['BACKEND_URL', 'http://me:x@backend:3000', noBackend],
  ['REMOTES', '', 'is required'],
  ['REMOTES', 'a=file:b,a=file:c', 'names a remote twice'],
  ['REMOTES', 'mf-legal', noRemote('mf-legal')],
  ['REMOTES', 'mf-legal=ftp://legal', noRemote('mf-legal=ftp://legal')],
  ['REMOTES', 'a=file:b,../x=file:y', noRemote('../x=file:y')],
  ['REMOTES', 'a=http://me:x@h', 'has a name or password in it; origins are requested without credentials'],
  ['REMOTES', 'a=https://h/#top', noFolder],
  ['REMOTES', 'a=http://h/release?token=secret@x', noFolder],
  ['RELEASES_DATABASE_URL', 'mysql://shell@localhost/daybook', noDatabase],
  ['RELEASES_INTERVAL', '0', 'must be a number of seconds from 0.05 to 3600'],
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

test('requires operators, keys and a registry in production, and rejects a token of examples', () => {
  const production = { NODE_ENV: 'production' };
  for (const name of ['OPERATOR_TOKEN', 'RELEASES_DATABASE_URL', 'TRUSTED_KEYS'])
    expect(rejectionOf(production)).toContain(`  ${name}: is required in production`);
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
  const whole = { ...required, ...production, RELEASES_DATABASE_URL, TRUSTED_KEYS: 'none', OPERATOR_TOKENS_FILE };
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

describe('the trusted keys', () => {
  const [one, other] = [`${'a'.repeat(42)}A`, `${'-_'.repeat(21)}8`];

  test('are those of each remote, several during a rotation, or none, also from a file', () => {
    const file = path.join(makeTemporaryFolder(), 'keys');
    writeFileSync(file, `\nmf-legal: ${one}\n\n \t\nmf-later:none,\r\nmf-legal:${other}\n`);
    const inLine = { TRUSTED_KEYS: `mf-legal:${one}, mf-later:none,mf-legal:${other}` };
    for (const keys of [inLine, { TRUSTED_KEYS_FILE: file }])
      expect([...(parseEnvironment({ ...required, ...keys }).TRUSTED_KEYS ?? [])]).toEqual([
        ['mf-legal', [one, other]],
        ['mf-later', 'none'],
      ]);
    rmSync(path.dirname(file), { recursive: true });
  });

  test('name every remote, with a key or none, not both', () => {
    const REMOTES = 'mf-legal=file:a,mf-offers=file:b,mf-signup=file:c';
    expect(rejectionOf({ REMOTES, TRUSTED_KEYS: 'mf-legal:none' })).toBe(
      'These settings cannot be used:\n  TRUSTED_KEYS: does not name mf-offers, mf-signup of REMOTES, only mf-legal; add mf-offers:<public key>, which npm run release -w mf-offers -- --show-key prints, or mf-offers:none to accept its releases without a signature',
    );
    expect(rejectionOf({ TRUSTED_KEYS: `mf-legal:none,mf-legal:${one},mf-legal:${other}` })).toContain(
      '  TRUSTED_KEYS: has both a key and none for mf-legal; remove one of them',
    );
  });

  test.each([
    ['a key without a remote', one],
    ['a key of another length', `mf-legal:${one}a`],
    ['a key with unused bits', `mf-legal:${'a'.repeat(43)}`],
    ['a key beside none', `mf-legal:none:${one}`],
    ['a private key', '{"kty":"OKP","crv":"Ed25519","d":"hunter2"}'],
    ['“none” among keys', `none,mf-legal:${one}`],
  ])('are rejected without quoting them if they have %s', (_what, keys) => {
    const message = rejectionOf({ TRUSTED_KEYS: keys });
    expect(message).toContain(
      'TRUSTED_KEYS: must be pairs of <remote>:<public key>, with keys of 43 characters, or <remote>:none; pair 1 is not',
    );
    expect(message).not.toContain('hunter2');
  });
});

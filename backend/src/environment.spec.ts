import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { databaseEnvironmentSchema, environmentSchema, readEnvironment } from './environment.ts';

const variables = (overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: 'postgres://reader@localhost:5432/daybook',
  COOKIE_SECRET: 'x'.repeat(32),
  ...overrides,
});

const aWebhookSecret = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;

const problemsOf = (overrides: NodeJS.ProcessEnv) => () => readEnvironment(environmentSchema, variables(overrides));

describe('the environment', () => {
  test('needs only database and secret, and has defaults for the rest', () => {
    expect(readEnvironment(environmentSchema, variables())).toEqual({
      DATABASE_URL: 'postgres://reader@localhost:5432/daybook',
      COOKIE_SECRET: ['x'.repeat(32)],
      PORT: 3000,
      HOST: '127.0.0.1',
      TRUSTED_PROXIES: 1,
      DATABASE_POOL_SIZE: 10,
      PRIVACY_REQUESTS: 'simulate',
      CLIENT_DETAILS_KEPT: 90,
      UNFINISHED_ENTRIES_KEPT: 12,
      PRIVACY_REQUESTS_KEPT: 24,
      LIMIT_NETWORK_WRITES: 480,
      LIMIT_NETWORK_SIGNUPS: 180,
      LIMIT_NETWORK_LOOKUPS: 300,
      LIMIT_ADDRESS_SIGNUPS: 120,
      LIMIT_GLOBAL_SIGNUPS: 6_000,
      OPERATOR_TOKENS: [],
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: 3,
    });
  });

  test('takes several secrets, the first of which signs', () => {
    const secrets = ['a'.repeat(32), 'b'.repeat(40)];
    const { COOKIE_SECRET } = readEnvironment(environmentSchema, variables({ COOKIE_SECRET: secrets.join(', ') }));
    expect(COOKIE_SECRET).toEqual(secrets);
  });

  test('takes a receiver of webhooks with one secret or, while they are rotated, with two', () => {
    const secrets = [aWebhookSecret('a'), aWebhookSecret('b')];
    const webhooks = { WEBHOOK_URL: 'https://mail.example.com/events', WEBHOOK_SECRET: secrets.join(',') };
    expect(readEnvironment(environmentSchema, variables(webhooks))).toMatchObject({
      WEBHOOK_URL: 'https://mail.example.com/events',
      WEBHOOK_SECRET: secrets,
    });
  });

  test('does not deliver unsigned: an address without a secret is refused', () => {
    expect(problemsOf({ WEBHOOK_URL: 'https://mail.example.com/events' })).toThrow(
      'The environment cannot be used: WEBHOOK_SECRET is required where WEBHOOK_URL is set.',
    );
  });

  test('takes the origin of the public address', () => {
    const given = variables({ PUBLIC_URL: 'https://daybook.example/welcome' });
    expect(readEnvironment(environmentSchema, given).PUBLIC_URL).toBe('https://daybook.example');
  });

  test('names every bad variable in one message', () => {
    const bad = { DATABASE_URL: undefined, COOKIE_SECRET: undefined, PORT: '70000', TRUSTED_PROXIES: 'true' };
    expect(problemsOf(bad)).toThrow(
      'The environment cannot be used: DATABASE_URL is required, PORT must be a whole number from 0 to 65535, ' +
        'COOKIE_SECRET is required, and TRUSTED_PROXIES must be a whole number from 0 to 10.',
    );
  });

  test.each([
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', ''],
    ['COOKIE_SECRET', 'short'],
    ['COOKIE_SECRET', `${'x'.repeat(32)},short`],
    ['PUBLIC_URL', 'daybook.example'],
    ['PORT', '80a'],
    ['PORT', ''],
    ['HOST', ''],
    ['TRUSTED_PROXIES', '-1'],
    ['DATABASE_POOL_SIZE', '0'],
    ['WEBHOOK_URL', 'mail.example.com/events'],
    ['WEBHOOK_URL', 'ftp://mail.example.com'],
    ['WEBHOOK_URL', 'https://name:password@mail.example.com'],
    ['WEBHOOK_URL', ''],
    ['WEBHOOK_SECRET', ''],
    ['WEBHOOK_SECRET', 'plain text'],
    ['WEBHOOK_SECRET', 'whsec_c2hvcnQ='],
    ['WEBHOOK_SECRET', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['WEBHOOK_SECRET', `${aWebhookSecret('a')},${aWebhookSecret('b').slice(0, -1)}!`],
    ['PRIVACY_REQUESTS', 'yes'],
    ['CLIENT_DETAILS_KEPT', '91'],
    ['UNFINISHED_ENTRIES_KEPT', '13'],
    ['PRIVACY_REQUESTS_KEPT', '23'],
    ['LIMIT_NETWORK_SIGNUPS', '0'],
    ['LIMIT_GLOBAL_SIGNUPS', 'none'],
    ['OPERATOR_TOKEN', 'short'],
    ['OPERATOR_TOKENS', 'Ann:short'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['LOG_LEVEL', 'loud'],
    ['DRAIN_SECONDS', '-1'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toThrow(name);
  });

  test('never repeats a value, for it may be secret', () => {
    expect(problemsOf({ COOKIE_SECRET: 'hunter2' })).not.toThrow('hunter2');
  });

  test.each([
    ['DATABASE_URL', 'postgres://writer:secret@localhost:5432/daybook', (text: string) => text],
    ['COOKIE_SECRET', 'y'.repeat(40), (text: string) => [text]],
    ['OPERATOR_TOKEN', 'z'.repeat(24), (text: string) => text],
    ['OPERATOR_TOKENS', `Ann:${'z'.repeat(24)}`, () => [{ name: 'Ann', token: 'z'.repeat(24) }]],
    ['WEBHOOK_SECRET', aWebhookSecret('c'), (text: string) => [text]],
  ] as const)('takes %s from a file', (name, secret, read) => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-environment-'));
    const file = join(folder, 'secret');
    writeFileSync(file, `${secret}\n`);
    const given = variables({ [name]: undefined, [`${name}_FILE`]: file });
    expect(readEnvironment(environmentSchema, given)[name]).toEqual(read(secret));
    rmSync(folder, { recursive: true });
    expect(() => readEnvironment(environmentSchema, given)).toThrow(
      `The environment cannot be used: ${name}_FILE names a file that cannot be read (ENOENT).`,
    );
  });

  test('refuses weak secrets in production alone, also the second of a list', () => {
    const good = randomBytes(16).toString('hex');
    const production = { NODE_ENV: 'production', OPERATOR_TOKEN: randomBytes(16).toString('hex') };
    expect(problemsOf({ COOKIE_SECRET: good, ...production })).not.toThrow();
    for (const weak of ['x'.repeat(32), `${good},${'ab'.repeat(20)}`, 'the-secret-that-nobody-changes-ever'])
      expect(problemsOf({ COOKIE_SECRET: weak, ...production })).toThrow(
        /cannot be used: COOKIE_SECRET .*openssl rand/,
      );
    expect(problemsOf({ COOKIE_SECRET: undefined, ...production })).toThrow('COOKIE_SECRET is required');
    expect(problemsOf({ COOKIE_SECRET: good, ...production, OPERATOR_TOKEN: undefined })).toThrow(
      'OPERATOR_TOKEN is required in production',
    );
    expect(problemsOf({ COOKIE_SECRET: good, ...production, OPERATOR_TOKEN: 'let-me-in-with-a-password' })).toThrow(
      'OPERATOR_TOKEN contains a word of examples',
    );
  });

  test('needs no operator token without a name in production where named ones are set', () => {
    const token = randomBytes(16).toString('hex');
    const production = { NODE_ENV: 'production', COOKIE_SECRET: token };
    expect(problemsOf({ ...production, OPERATOR_TOKENS: `Ann:${token}` })).not.toThrow();
    expect(problemsOf({ ...production, OPERATOR_TOKENS: `Ann:${'z'.repeat(24)}` })).toThrow('OPERATOR_TOKENS consists');
  });

  test('refuses a weak password of the database in production, and needs none', () => {
    const production = {
      NODE_ENV: 'production',
      COOKIE_SECRET: randomBytes(16).toString('hex'),
      OPERATOR_TOKEN: randomBytes(16).toString('hex'),
    };
    const database = (DATABASE_URL: string) => problemsOf({ ...production, DATABASE_URL });
    expect(database('postgres://writer:secret@localhost:5432/daybook')).toThrow(
      'The password in DATABASE_URL consists of too few different characters; make one with: openssl rand -hex 32',
    );
    expect(database('postgres://writer:my-password-2026@localhost/daybook')).toThrow('contains a word of examples');
    expect(database(`postgres://writer:${randomBytes(24).toString('hex')}@localhost/daybook`)).not.toThrow();
    expect(database('postgres:///daybook?host=/run/postgresql')).not.toThrow();
  });

  test('judges the key of a webhook secret in production, not how it is written', () => {
    const production = {
      NODE_ENV: 'production',
      COOKIE_SECRET: randomBytes(16).toString('hex'),
      OPERATOR_TOKEN: randomBytes(16).toString('hex'),
    };
    const webhooks = (WEBHOOK_SECRET: string) =>
      problemsOf({ ...production, WEBHOOK_URL: 'https://mail.example.com/events', WEBHOOK_SECRET });
    const good = `whsec_${randomBytes(32).toString('base64')}`;
    const weak = `whsec_${Buffer.from('our webhook password of 2026').toString('base64')}`;
    expect(webhooks(good)).not.toThrow();
    expect(webhooks(`${good},${weak}`)).toThrow(
      'WEBHOOK_SECRET contains a word of examples; make one with: echo "whsec_$(openssl rand -base64 32)"',
    );
  });

  test('asks a migrator for the database alone, and reads no file of the server’s secrets', () => {
    const { DATABASE_URL } = variables();
    const others = { NODE_ENV: 'production', COOKIE_SECRET_FILE: '/nowhere', WEBHOOK_SECRET_FILE: '/nowhere' };
    expect(readEnvironment(databaseEnvironmentSchema, { DATABASE_URL, ...others })).toEqual({ DATABASE_URL });
  });
});

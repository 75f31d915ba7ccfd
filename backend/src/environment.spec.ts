import { randomBytes } from 'node:crypto';
import { readEnvironment } from '@daybook/server';
import { describe, expect, test } from '@jest/globals';
import { databaseEnvironmentSchema, environmentSchema } from './environment.ts';

const variables = (overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: 'postgres://reader@localhost:5432/daybook',
  COOKIE_SECRET: 'x'.repeat(32),
  ...overrides,
});

const aWebhookSecret = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;

const readingWith = (overrides: NodeJS.ProcessEnv) => () => readEnvironment(environmentSchema, variables(overrides));

describe('the environment', () => {
  test('requires only the database and the cookie secret, and has defaults for the rest', () => {
    expect(readEnvironment(environmentSchema, variables())).toMatchObject({
      DATABASE_URL: 'postgres://reader@localhost:5432/daybook',
      COOKIE_SECRET: ['x'.repeat(32)],
      PORT: 3000,
    });
  });

  test('accepts several cookie secrets and keeps their order: the first one signs', () => {
    const secrets = ['a'.repeat(32), 'b'.repeat(40)];
    const { COOKIE_SECRET } = readEnvironment(environmentSchema, variables({ COOKIE_SECRET: secrets.join(', ') }));
    expect(COOKIE_SECRET).toEqual(secrets);
  });

  test('accepts a webhook receiver with one secret or, during rotation, two', () => {
    const secrets = [aWebhookSecret('a'), aWebhookSecret('b')];
    const webhooks = { WEBHOOK_URL: 'https://mail.example.com/events', WEBHOOK_SECRET: secrets.join(',') };
    expect(readEnvironment(environmentSchema, variables(webhooks))).toMatchObject({
      WEBHOOK_URL: 'https://mail.example.com/events',
      WEBHOOK_SECRET: secrets,
    });
  });

  test('rejects a WEBHOOK_URL without a WEBHOOK_SECRET: events are always signed', () => {
    expect(readingWith({ WEBHOOK_URL: 'https://mail.example.com/events' })).toThrow(
      '  WEBHOOK_SECRET: is required if WEBHOOK_URL is set',
    );
  });

  test('reduces PUBLIC_URL to its origin', () => {
    const withPath = variables({ PUBLIC_URL: 'https://daybook.example/welcome' });
    expect(readEnvironment(environmentSchema, withPath).PUBLIC_URL).toBe('https://daybook.example');
  });

  test.each([
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', ''],
    ['COOKIE_SECRET', 'short'],
    ['COOKIE_SECRET', `${'x'.repeat(32)},short`],
    ['PUBLIC_URL', 'daybook.example'],
    ['PORT', '80a'],
    ['TRUSTED_PROXIES', '-1'],
    ['DATABASE_POOL_SIZE', '0'],
    ['WEBHOOK_URL', 'mail.example.com/events'],
    ['WEBHOOK_URL', 'ftp://mail.example.com'],
    ['WEBHOOK_URL', 'https://name:password@mail.example.com'],
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
    ['METRICS_TOKEN', 'short'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['LOG_LEVEL', 'loud'],
    ['DRAIN_SECONDS', '-1'],
  ])('rejects %s=%s', (name, value) => {
    expect(readingWith({ [name]: value })).toThrow(name);
  });

  describe('in production', () => {
    const token = randomBytes(16).toString('hex');
    const good = `whsec_${randomBytes(32).toString('base64')}`;
    const production = { NODE_ENV: 'production', COOKIE_SECRET: token, METRICS_TOKEN: token };
    const webhooks = { WEBHOOK_URL: 'https://mail.example.com/events' };

    test.each([
      [{}],
      [{ DATABASE_URL: `postgres://writer:${token}@localhost/daybook` }],
      [{ DATABASE_URL: 'postgres:///daybook?host=/run/postgresql' }],
      [{ ...webhooks, WEBHOOK_SECRET: good }],
    ])('accepts random secrets, and a database without a password: %j', (changes) => {
      expect(readingWith({ ...production, ...changes })).not.toThrow();
    });

    test.each([
      ['COOKIE_SECRET', 'the-secret-that-nobody-changes-ever', 'contains a word of examples'],
      ['COOKIE_SECRET', `${token},please-changeme-${token}`, 'a secret in it contains a word of examples'],
      ['METRICS_TOKEN', 'let-me-in-with-a-password', 'contains a word of examples'],
      ['DATABASE_URL', 'postgres://writer:x7Kq@localhost:5432/daybook', 'a secret in it has fewer than 12 characters'],
      [
        'DATABASE_URL',
        'postgres://writer:my-password-2026@localhost/daybook',
        'a secret in it contains a word of examples',
      ],
    ])('rejects %s=%s', (name, value, message) => {
      expect(readingWith({ ...production, [name]: value })).toThrow(`  ${name}: ${message}`);
      if (value !== undefined) expect(readingWith({ [name]: value })).not.toThrow();
    });
  });

  test('needs only the database for migrations, and reads none of the server’s secret files', () => {
    const { DATABASE_URL } = variables();
    const others = { NODE_ENV: 'production', COOKIE_SECRET_FILE: '/nowhere', WEBHOOK_SECRET_FILE: '/nowhere' };
    expect(readEnvironment(databaseEnvironmentSchema, { DATABASE_URL, ...others })).toEqual({ DATABASE_URL });
  });
});

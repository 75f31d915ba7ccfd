import { randomBytes } from 'node:crypto';
import { readEnvironment } from '@daybook/server';
import { describe, expect, test } from '@jest/globals';
import { databaseEnvironmentSchema, environmentSchema } from './environment.ts';

const required = { DATABASE_URL: 'postgres://reader@localhost:5432/daybook', COOKIE_SECRET: 'x'.repeat(32) };
const aWebhookSecret = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
const reading = (overrides: NodeJS.ProcessEnv) => () =>
  readEnvironment(environmentSchema, { ...required, ...overrides });

describe('the environment', () => {
  test('requires only the database and the cookie secret; lists of secrets keep their order: the first one signs', () => {
    expect(reading({})()).toMatchObject({ ...required, COOKIE_SECRET: ['x'.repeat(32)], PORT: 3000 });
    const secrets = { COOKIE_SECRET: ['a'.repeat(32), 'b'.repeat(40)], WEBHOOK_SECRET: ['a', 'b'].map(aWebhookSecret) };
    const variables = {
      COOKIE_SECRET: secrets.COOKIE_SECRET.join(', '),
      WEBHOOK_SECRET: secrets.WEBHOOK_SECRET.join(','),
      WEBHOOK_URL: 'https://mail.example.com/events',
      PUBLIC_URL: 'https://daybook.example/welcome',
    };
    expect(reading(variables)()).toMatchObject({ ...variables, ...secrets, PUBLIC_URL: 'https://daybook.example' });
  });

  test('needs only the database for migrations, and reads none of the server’s secret files', () => {
    const { DATABASE_URL } = required;
    const others = { NODE_ENV: 'production', COOKIE_SECRET_FILE: '/nowhere', WEBHOOK_SECRET_FILE: '/nowhere' };
    expect(readEnvironment(databaseEnvironmentSchema, { DATABASE_URL, ...others })).toEqual({ DATABASE_URL });
  });

  test.each([
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_URL', ''],
    ['COOKIE_SECRET', ''],
    ['COOKIE_SECRET', ','],
    ['COOKIE_SECRET', 'short'],
    ['COOKIE_SECRET', `${'x'.repeat(32)},short`],
    ['AUDIT_KEY', 'x'.repeat(31)],
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
    ['LOG_LEVEL', 'loud'],
    ['DRAIN_SECONDS', '-1'],
  ])('rejects %s=%s', (name, value) => {
    expect(reading({ [name]: value })).toThrow(name);
  });

  test('rejects a WEBHOOK_URL without a WEBHOOK_SECRET: events are always signed', () => {
    const message = '  WEBHOOK_SECRET: is required if WEBHOOK_URL is set';
    expect(reading({ WEBHOOK_URL: 'https://mail.example.com/events' })).toThrow(message);
  });

  const token = randomBytes(16).toString('hex');
  const production = { NODE_ENV: 'production', COOKIE_SECRET: token, AUDIT_KEY: token, METRICS_TOKEN: token };
  test('requires a key of the audit log in production only, before the first person asks to be erased', () => {
    expect(reading({ ...production, AUDIT_KEY: '' })).toThrow('  AUDIT_KEY: is required in production');
  });

  const word = 'contains a word of examples';
  test.each<[name: string, value: string, message?: string]>([
    ['DATABASE_URL', `postgres://writer:${token}@localhost/daybook`],
    ['DATABASE_URL', 'postgres:///daybook?host=/run/postgresql'],
    ['WEBHOOK_SECRET', `whsec_${randomBytes(32).toString('base64')}`],
    ['COOKIE_SECRET', 'the-secret-that-nobody-changes-ever', word],
    ['COOKIE_SECRET', `${token},please-changeme-${token}`, `a secret in it ${word}`],
    ['AUDIT_KEY', 'the-key-that-nobody-changes-example', word],
    ['METRICS_TOKEN', 'let-me-in-with-a-password', word],
    ['DATABASE_URL', 'postgres://writer:x7Kq@localhost:5432/daybook', 'a secret in it has fewer than 12 characters'],
    ['DATABASE_URL', 'postgres://writer:my-password-2026@localhost/daybook', `a secret in it ${word}`],
  ])('in production rejects weak secrets and examples only: %s=%s', (...[name, value, message]) => {
    const read = reading({ ...production, [name]: value });
    if (message) expect(read).toThrow(`  ${name}: ${message}`);
    else expect(read).not.toThrow();
    expect(reading({ [name]: value })).not.toThrow();
  });
});

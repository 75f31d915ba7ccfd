import { readEnvironment } from '@daybook/server';
import { expect, test } from '@jest/globals';
import { environmentSchema } from './environment.ts';

const required = { DATABASE_URL: 'postgres://reader@localhost:5432/daybook', COOKIE_SECRET: 'x'.repeat(32) };
const aWebhookSecret = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
const reading = (overrides: NodeJS.ProcessEnv) => () =>
  readEnvironment(environmentSchema, { ...required, ...overrides });

test('only database and cookie secret are required; lists keep their order', () => {
  expect(reading({})()).toMatchObject({ ...required, COOKIE_SECRET: ['x'.repeat(32)], PORT: 3000 });
  const secrets = { COOKIE_SECRET: ['a'.repeat(32), 'b'.repeat(40)], WEBHOOK_SECRET: ['a', 'b'].map(aWebhookSecret) };
  const lists = { COOKIE_SECRET: secrets.COOKIE_SECRET.join(', '), WEBHOOK_SECRET: secrets.WEBHOOK_SECRET.join(',') };
  const urls = { WEBHOOK_URL: 'https://mail.example.com/events', PUBLIC_URL: 'https://daybook.example/welcome' };
  expect(reading({ ...lists, ...urls })()).toMatchObject({ ...secrets, PUBLIC_URL: 'https://daybook.example' });
});

test.each([
  ['COOKIE_SECRET', `${'x'.repeat(32)},short`],
  ['WEBHOOK_URL', 'https://name:password@mail.example.com'],
  ['WEBHOOK_SECRET', 'whsec_c2hvcnQ='],
  ['WEBHOOK_SECRET', `${aWebhookSecret('a')},${aWebhookSecret('b').slice(0, -1)}!`],
  ['PRIVACY_REQUESTS_KEPT', '23'],
])('%s=%s is rejected', (name, value) => {
  expect(reading({ [name]: value })).toThrow(name);
});

test('a WEBHOOK_URL needs a WEBHOOK_SECRET, and production needs an AUDIT_KEY', () => {
  const message = '  WEBHOOK_SECRET: is required if WEBHOOK_URL is set';
  expect(reading({ WEBHOOK_URL: 'https://mail.example.com/events' })).toThrow(message);
  expect(reading({ NODE_ENV: 'production' })).toThrow('  AUDIT_KEY: is required in production');
});

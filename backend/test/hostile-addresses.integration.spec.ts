import { describe, expect, test } from '@jest/globals';
import { hostileAddresses } from '../../packages/contract/test/email-addresses.ts';
import { anAddress, emergencyNotice, privacyRequest, signUp } from './support/factories.ts';
import type { TestBackend } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

describe('a hostile address', () => {
  test.each<[string, (email: string) => ReturnType<TestBackend['request']>]>([
    ['signup', (email) => signUp(backend, { email })],
    [
      'lookup by address',
      (email) => backend.request('GET', `/api/waitlist/by-email?${new URLSearchParams({ email })}`),
    ],
    [
      'emergency notice',
      (email) => backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email }) }),
    ],
    [
      'privacy request',
      (email) => backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) }),
    ],
  ])('is rejected by the %s, which stores nothing', async (_call, request) => {
    for (const email of hostileAddresses) {
      const { status, body } = await request(email);
      expect({ email, status, body }).toEqual({
        email,
        status: 400,
        body: { statusCode: 400, error: 'VALIDATION_FAILED', message: 'Please enter a valid email address.' },
      });
    }
    const [counts] = await database.query(`
      SELECT (SELECT count(*) FROM subscriber) + (SELECT count(*) FROM emergency_notice)
        + (SELECT count(*) FROM privacy_request) + (SELECT count(*) FROM outbox_event) AS stored
    `);
    expect(counts).toEqual({ stored: 0 });
  });
});

test('every call ignores a trailing period of an address', async () => {
  const email = anAddress();
  const { cookie, body } = await signUp(backend, { email: `${email}.` });
  expect(body.entry.email).toBe(email);
  const headers = { cookie: String(cookie) };
  expect(await backend.request('GET', `/api/waitlist/by-email?email=${email}.`, { headers })).toMatchObject({
    status: 200,
    body: { entry: { id: body.entry.id, email } },
  });
  await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email: `${email}.` }) });
  expect(await database.query('SELECT email FROM emergency_notice')).toEqual([{ email }]);
  await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email: `${email}.` }) });
  expect(await database.query('SELECT email FROM subscriber WHERE unsubscribed_at IS NOT NULL')).toEqual([{ email }]);
});

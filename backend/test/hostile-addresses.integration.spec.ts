import { describe, expect, test } from '@jest/globals';
import {
  encodedDomains,
  hostileAddresses,
  privateHosts,
  wrap,
  wrappings,
} from '../../packages/contract/test/email-addresses.ts';
import { anAddress, emergencyNotice, privacyRequest, signUp } from './support/factories.ts';
import type { TestBackend } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

const notPublic = [...privateHosts.map(([host]) => host), ...encodedDomains].map((host) => `a@${host}`);
const ofSignups = [...hostileAddresses, ...notPublic, '.a@b.co', 'a.@b.co', 'a..b@b.co'];

describe('a hostile address', () => {
  test.each<[string, (email: string) => ReturnType<TestBackend['request']>, readonly string[]]>([
    ['signup', (email) => signUp(backend, { email }), ofSignups],
    [
      'lookup by address',
      (email) => backend.request('GET', `/api/waitlist/by-email?${new URLSearchParams({ email })}`),
      ofSignups,
    ],
    [
      'emergency notice',
      (email) => backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email }) }),
      ofSignups,
    ],
    [
      'privacy request',
      (email) => backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) }),
      hostileAddresses,
    ],
  ])('is rejected by the %s, which stores nothing', async (_call, request, addresses) => {
    for (const email of addresses) {
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

test.each(privateHosts)('a privacy request for an address at %s is stored with the host %s', async (typed, stored) => {
  const { status } = await backend.request('POST', '/api/privacy-requests', {
    json: privacyRequest({ email: `reader@${typed}` }),
  });
  expect(status).toBe(201);
  expect(await database.query('SELECT email FROM privacy_request ORDER BY id DESC LIMIT 1')).toEqual([
    { email: `reader@${stored}` },
  ]);
});

test.each(wrappings)('every call finds the address in %j', async (wrapping) => {
  const email = anAddress();
  const pasted = wrap(wrapping, email);
  const { cookie, body } = await signUp(backend, { email: pasted });
  expect(body.entry.email).toBe(email);
  const headers = { cookie: String(cookie) };
  const query = new URLSearchParams({ email: pasted });
  expect(await backend.request('GET', `/api/waitlist/by-email?${query}`, { headers })).toMatchObject({
    status: 200,
    body: { entry: { id: body.entry.id, email } },
  });
  await backend.request('POST', '/api/emergency-webhook', { json: emergencyNotice({ email: pasted }) });
  expect(await database.query('SELECT email FROM emergency_notice ORDER BY id DESC LIMIT 1')).toEqual([{ email }]);
  await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email: pasted }) });
  const unsubscribed = 'SELECT email FROM subscriber WHERE unsubscribed_at IS NOT NULL ORDER BY id DESC LIMIT 1';
  expect(await database.query(unsubscribed)).toEqual([{ email }]);
});

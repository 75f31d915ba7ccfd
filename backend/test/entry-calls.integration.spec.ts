import { describe, expect, test } from '@jest/globals';
import { anEmail, completionNotice, information } from './support/factories.ts';
import type { TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend, restart } = useBackend();

const stored = async (id: number) => (await database.query('SELECT * FROM waitlist_entry WHERE id = $1', [id]))[0];

const pick = ({ status, body }: TestResponse) => [status, body];

// The id may be a guess. And in the spelling of an earlier signup, the email would reveal that signup.
test.each<[string, string, object | undefined]>([
  ['PUT', '/step/2', undefined],
  ['PUT', '/complete', undefined],
  ['PUT', '', information()],
  ['PUT', '/offers', { selectedOffers: ['grocery'] }],
  ['PUT', '/update-client-info', undefined],
  ['POST', '/notify-complete', completionNotice()],
])('%s %s responds without the email, and changes no other entry', async (method, path, json) => {
  const call = (of: number, headers = {}) => backend.request(method, `/api/waitlist/${of}${path}`, { json, headers });
  const other = await backend.anEntry();
  const before = await stored(other.id);
  const { body, cookie = '' } = await backend.signUp();
  const { id } = body.entry;
  const response = method === 'POST' ? { success: true } : { entry: { id } };
  for (const headers of [{}, { cookie }]) expect(pick(await call(id, headers))).toEqual([200, response]);
  expect(await stored(other.id)).toEqual(before);
  const message = 'No entry has the id 12345. Sign up to get one.';
  const unknown = { statusCode: 404, message, error: 'ENTRY_NOT_FOUND' };
  expect(pick(await call(12345))).toEqual([404, unknown]);
});

test('an entry keeps the latest choices and the first completion', async () => {
  const { id } = await backend.anEntry();
  expect(await stored(id)).toMatchObject({ step: 1, selected_offers: null, completed_at: null, notice_source: null });
  for (const step of [2, 1]) await backend.put(id, `/step/${step}`);
  for (const selectedOffers of [['tmobile', 'grocery'], []]) {
    await backend.put(id, '/offers', { selectedOffers });
    expect(await stored(id)).toMatchObject({ selected_offers: selectedOffers });
  }
  await backend.put(id, '', information({ firstName: '  Zoë 😀 ' }));
  const details = { 'user-agent': 'Reader/1.0', 'accept-language': 'de-CH, de;q=0.9' };
  await backend.put(id, '/update-client-info', undefined, details);
  // A browser may send an empty JSON object instead of no body.
  await backend.put(id, '/complete', {});
  await backend.notifyComplete(id, { source: 'first', timestamp: '1999-12-31T23:59:59+01:00' });
  const once = await stored(id);
  expect(once).toMatchObject({
    ...{ step: 2, selected_offers: [], first_name: 'Zoë 😀', last_name: 'Lovelace', zip_code: '10001' },
    ...{ user_agent: 'Reader/1.0', language: 'de-CH', notice_source: 'first' },
    notice_timestamp: new Date('1999-12-31T22:59:59Z'),
  });
  for (const at of [once?.completed_at, once?.notice_received_at])
    expect(Math.abs(Number(at) - Date.now())).toBeLessThan(60_000);
  await backend.put(id, '/complete');
  await backend.notifyComplete(id, { source: 'emergency', timestamp: '2030-01-01T00:00:00Z' });
  expect(await stored(id)).toEqual(once);
});

describe('the lookup of an entry by email', () => {
  test('returns the newest entry of this browser, with the email it is called with, in any case', async () => {
    const first = await backend.signUp({ email: 'Mixed.Case@example.com' });
    const { body, cookie } = await backend.signUp({ email: 'Mixed.Case@example.com', cookie: first.cookie });
    const { id } = body.entry;
    for (const email of ['Mixed.Case@example.com', 'mixed.case@example.com', 'MIXED.CASE@example.com'])
      expect(await backend.findByEmail(email, cookie)).toMatchObject({ status: 200, body: { entry: { id, email } } });
  });

  test('finds the last five entries of this browser', async () => {
    const emails = Array.from({ length: 6 }, anEmail);
    let cookie: string | undefined;
    for (const email of emails) ({ cookie } = await backend.signUp({ email, cookie }));
    const found = emails.map(async (email) => (await backend.findByEmail(email, `waitlist=7.x; ${cookie}`)).status);
    expect(await Promise.all(found)).toEqual([404, ...Array(5).fill(200)]);
  });

  test('sends the same response for an unknown email, another browser and a forged cookie', async () => {
    const email = anEmail();
    const { cookie = '' } = await backend.signUp({ email });
    const other = await backend.signUp();
    const rejections = await Promise.all([
      backend.findByEmail(email),
      backend.findByEmail(email, other.cookie),
      backend.findByEmail(email, cookie.replace('waitlist=', 'waitlist=1')),
      backend.findByEmail(anEmail()),
      backend.findByEmail(anEmail(), cookie),
    ]);
    const message = 'This browser did not sign up with this address. Sign up to get an entry.';
    for (const response of rejections)
      expect(pick(response)).toEqual([404, { statusCode: 404, message, error: 'ENTRY_NOT_FOUND' }]);
    expect(new Set(rejections.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
  });
});

// These tests restart the backend with other settings.
describe('the signup cookie', () => {
  const [oldSecret, newSecret] = ['o'.repeat(32), 'n'.repeat(32)];

  test('stays valid during rotation, and the next signup signs it with the new secret', async () => {
    const email = anEmail();
    await restart({ COOKIE_SECRET: [oldSecret] });
    const { cookie, headers } = await backend.signUp({ email });
    const attributes = headers.getSetCookie()[0]?.split('; ').slice(1).sort();
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/api', 'SameSite=Lax']);
    const statusWith = async (each?: string) => (await backend.findByEmail(email, each)).status;
    await restart({ COOKIE_SECRET: [newSecret, oldSecret] });
    expect(await statusWith(cookie)).toBe(200);
    const resigned = (await backend.signUp({ cookie })).cookie;
    await restart({ COOKIE_SECRET: [newSecret] });
    expect([await statusWith(cookie), await statusWith(resigned)]).toEqual([404, 200]);
  });

  // The same settings state which IP of X-Forwarded-For is the visitor's.
  test.each([
    [{ PUBLIC_URL: 'https://daybook.example' }, 'http', true, '203.0.113.0/24'],
    [{ TRUSTED_PROXIES: 0 }, 'https', false, '127.0.0.0/24'],
    [{ TRUSTED_PROXIES: 2 }, 'https', true, '2001:db8:1::/48'],
  ])('with the settings %j and a proxy that reports %s, is Secure: %s', async (settings, scheme, isSecure, network) => {
    await restart(settings);
    const forwarded = {
      'x-forwarded-for': '192.0.2.9, 2001:db8:1:2::8, ::ffff:203.0.113.7',
      'x-forwarded-proto': scheme,
    };
    // Too long to be stored whole.
    const headers = { ...forwarded, 'user-agent': 'x'.repeat(5_000), 'accept-language': 'y'.repeat(5_000) };
    const { body, headers: received } = await backend.signUp({ headers });
    expect(received.getSetCookie()[0]?.includes('; Secure')).toBe(isSecure);
    await backend.put(body.entry.id, '/update-client-info', undefined, headers);
    expect(await stored(body.entry.id)).toMatchObject({ network, language: 'y'.repeat(64) });
  });
});

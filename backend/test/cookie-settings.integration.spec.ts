import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { anAddress, signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const oldSecret = 'o'.repeat(32);
const newSecret = 'n'.repeat(32);

const { database, backend, restart } = useBackend();
const find = (email: string, cookie = '') =>
  backend.request('GET', `/api/waitlist/by-email?email=${email}`, { headers: { cookie } });

test('a cookie stays valid during secret rotation, and the next signup signs it with the new secret', async () => {
  const email = anAddress();
  await restart({ COOKIE_SECRET: [oldSecret] });
  const { cookie } = await signUp(backend, { email });
  await restart({ COOKIE_SECRET: [newSecret, oldSecret] });
  expect((await find(email, cookie)).status).toBe(200);
  const resigned = (await signUp(backend, { cookie })).cookie;
  await restart({ COOKIE_SECRET: [newSecret] });
  expect((await find(email, cookie)).status).toBe(404);
  expect((await find(email, resigned)).status).toBe(200);
});

test('a cookie that an earlier version signed with the raw secret is valid, and is signed with the derived key next', async () => {
  const email = anAddress();
  const sign = (value: string, secret: string) => {
    const digest = createHmac('sha256', secret).update(value).digest('base64').replaceAll('=', '');
    return `waitlist=${encodeURIComponent(`${value}.${digest}`)}`;
  };
  await restart({ COOKIE_SECRET: [newSecret, oldSecret] });
  const { body, cookie } = await signUp(backend, { email });
  const id = String(body.entry.id);
  for (const secret of [newSecret, oldSecret]) {
    expect((await find(email, sign(id, secret))).status).toBe(200);
    expect(cookie).not.toBe(sign(id, secret));
  }
  expect((await find(email, sign(id, 'x'.repeat(32)))).status).toBe(404);
});

test.each([
  ['https://daybook.example', 'http', true],
  ['https://daybook.example', 'https', true],
  ['http://daybook.example', 'https', false],
])(
  'with PUBLIC_URL %s, the cookie is Secure regardless of the proxy’s protocol (%s): %s',
  async (PUBLIC_URL, scheme, isSecure) => {
    await restart({ PUBLIC_URL });
    const { headers } = await signUp(backend, { headers: { 'x-forwarded-proto': scheme } });
    expect(headers.getSetCookie()[0]?.includes('; Secure')).toBe(isSecure);
  },
);

test.each([
  [0, '127.0.0.0/24', false],
  [1, '203.0.113.0/24', true],
  [2, '198.51.100.0/24', true],
])('with %i trusted proxies, the visitor’s network is %s', async (hops, network, isSecure) => {
  const forwarded = { 'x-forwarded-for': '192.0.2.9, 198.51.100.8, 203.0.113.7', 'x-forwarded-proto': 'https' };
  await restart({ TRUSTED_PROXIES: hops });
  const { body, headers } = await signUp(backend, { headers: forwarded });
  await backend.request('PUT', `/api/waitlist/${body.entry.id}/update-client-info`, { headers: forwarded });
  const rows = await database.query('SELECT network_address FROM waitlist_entry WHERE id = $1', [body.entry.id]);
  expect(rows).toEqual([{ network_address: network }]);
  expect(headers.getSetCookie()[0]?.includes('Secure')).toBe(isSecure);
});

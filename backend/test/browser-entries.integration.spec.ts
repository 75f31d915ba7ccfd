import { describe, expect, test } from '@jest/globals';
import { anAddress, signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const notOfThisBrowser = {
  statusCode: 404,
  message: 'This browser did not sign up with this address. Sign up to get an entry.',
  error: 'ENTRY_NOT_FOUND',
};

const { backend } = useBackend();

const findByEmail = (email: string, cookie?: string) =>
  backend.request(
    'GET',
    `/api/waitlist/by-email?email=${encodeURIComponent(email)}`,
    cookie ? { headers: { cookie } } : {},
  );

describe('looking an entry up by address', () => {
  test('finds the entry for the browser that signed up', async () => {
    const email = anAddress();
    const { body, cookie } = await signUp(backend, { email });
    expect(await findByEmail(email, cookie)).toMatchObject({ status: 200, body });
  });

  test('finds it however the address is written', async () => {
    const { cookie, body } = await signUp(backend, { email: 'someone@example.com' });
    expect((await findByEmail(' someone@EXAMPLE.com', cookie)).body).toEqual(body);
  });

  test('gives the newest entry when the browser signed up twice with the address', async () => {
    const email = anAddress();
    const first = await signUp(backend, { email });
    const second = await signUp(backend, { email, cookie: first.cookie });
    expect((await findByEmail(email, second.cookie)).body).toEqual(second.body);
  });

  test('finds each person whom a family signed up, up to the last five', async () => {
    const family = Array.from({ length: 6 }, anAddress);
    let cookie: string | undefined;
    for (const email of family) cookie = (await signUp(backend, { email, cookie })).cookie;
    const statuses = await Promise.all(family.map(async (email) => (await findByEmail(email, cookie)).status));
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200]);
  });

  test('answers exactly alike for an unknown address, another browser and a forged cookie', async () => {
    const email = anAddress();
    const { cookie = '' } = await signUp(backend, { email });
    const other = await signUp(backend);
    const refusals = await Promise.all([
      findByEmail(email),
      findByEmail(email, other.cookie),
      findByEmail(email, cookie.replace('waitlist=', 'waitlist=1')),
      findByEmail(email, cookie.slice(0, -3)),
      findByEmail(email, 'waitlist=%E0%A4%A'),
      findByEmail(anAddress()),
      findByEmail(anAddress(), cookie),
    ]);
    for (const { status, body } of refusals) expect({ status, body }).toEqual({ status: 404, body: notOfThisBrowser });
    expect(new Set(refusals.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
  });
});

describe('the cookie', () => {
  const attributesOf = async (headers: Record<string, string>) =>
    (await signUp(backend, { headers })).headers.getSetCookie()[0]?.split('; ').slice(1).sort();

  test('is out of reach for scripts and other sites, and lasts 30 days', async () => {
    expect(await attributesOf({})).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/api', 'SameSite=Lax']);
  });

  test('is sent over https only when the proxy says that the visitor came by https', async () => {
    expect(await attributesOf({ 'x-forwarded-proto': 'https' })).toContain('Secure');
  });
});

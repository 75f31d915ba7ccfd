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

describe('the lookup of an entry by address', () => {
  test('finds the entry for the browser that signed up', async () => {
    const email = anAddress();
    const { body, cookie } = await signUp(backend, { email });
    expect(await findByEmail(email, cookie)).toMatchObject({ status: 200, body });
  });

  test('normalizes the address', async () => {
    const { cookie, body } = await signUp(backend, { email: 'someone@example.com' });
    expect((await findByEmail(' someone@EXAMPLE.com', cookie)).body).toEqual(body);
  });

  test('ignores the case of the address, and responds with the one it is called with', async () => {
    const { cookie, body } = await signUp(backend, { email: 'Mixed.Case@example.com' });
    const { id } = body.entry;
    for (const email of ['mixed.case@example.com', 'MIXED.CASE@example.com'])
      expect((await findByEmail(email, cookie)).body).toEqual({ entry: { id, email } });
  });

  test('returns the newest entry if the browser signed up twice with the address', async () => {
    const email = anAddress();
    const first = await signUp(backend, { email });
    const second = await signUp(backend, { email, cookie: first.cookie });
    expect((await findByEmail(email, second.cookie)).body).toEqual(second.body);
  });

  test('finds the last five entries of a family that shares a browser', async () => {
    const family = Array.from({ length: 6 }, anAddress);
    let cookie: string | undefined;
    for (const email of family) cookie = (await signUp(backend, { email, cookie })).cookie;
    const statuses = await Promise.all(family.map(async (email) => (await findByEmail(email, cookie)).status));
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200]);
  });

  test('sends the same response for an unknown address, another browser and a forged cookie', async () => {
    const email = anAddress();
    const { cookie = '' } = await signUp(backend, { email });
    const other = await signUp(backend);
    const rejections = await Promise.all([
      findByEmail(email),
      findByEmail(email, other.cookie),
      findByEmail(email, cookie.replace('waitlist=', 'waitlist=1')),
      findByEmail(email, cookie.slice(0, -3)),
      findByEmail(email, 'waitlist=%E0%A4%A'),
      findByEmail(anAddress()),
      findByEmail(anAddress(), cookie),
    ]);
    for (const { status, body } of rejections)
      expect({ status, body }).toEqual({ status: 404, body: notOfThisBrowser });
    expect(new Set(rejections.map(({ headers }) => [...headers.keys()].join())).size).toBe(1);
  });
});

describe('the signup cookie', () => {
  const attributesOf = async (headers: Record<string, string>) =>
    (await signUp(backend, { headers })).headers.getSetCookie()[0]?.split('; ').slice(1).sort();

  test('is HttpOnly and SameSite=Lax, and lasts 30 days', async () => {
    expect(await attributesOf({})).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/api', 'SameSite=Lax']);
  });

  test('is Secure if the proxy reports an https request', async () => {
    expect(await attributesOf({ 'x-forwarded-proto': 'https' })).toContain('Secure');
  });
});

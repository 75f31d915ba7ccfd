import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { anAddress, anEntryId, completionNotice, information, signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend, restart } = useBackend();

const put = (path: string, json?: unknown, headers: Record<string, string> = {}) =>
  backend.request('PUT', `/api/waitlist/${path}`, { ...(json === undefined ? {} : { json }), headers });
const notify = (id: number, overrides = {}, headers = {}) =>
  backend.request('POST', `/api/waitlist/${id}/notify-complete`, { json: completionNotice(overrides), headers });

async function stored(id: number): Promise<Record<string, unknown>> {
  const [row] = await database.query<Record<string, unknown>>('SELECT * FROM waitlist_entry WHERE id = $1', [id]);
  return row ?? {};
}

describe('every call on an entry', () => {
  const calls = {
    'set step': (id: number, headers = {}) => put(`${id}/step/2`, undefined, headers),
    complete: (id: number, headers = {}) => put(`${id}/complete`, undefined, headers),
    'update information': (id: number, headers = {}) => put(`${id}`, information(), headers),
    'select offers': (id: number, headers = {}) => put(`${id}/offers`, { selectedOffers: ['grocery'] }, headers),
    'update client info': (id: number, headers = {}) => put(`${id}/update-client-info`, undefined, headers),
    'notify complete': (id: number, headers = {}) => notify(id, {}, headers),
  };

  // The id may be a guess. And in the spelling of an earlier signup, the address would reveal that signup.
  test.each(Object.entries(calls))(
    '%s never responds with the address, also to the browser that signed up',
    async (name, call) => {
      const { body, cookie = '' } = await signUp(backend);
      const { id, email } = body.entry;
      for (const headers of [{}, { cookie }, { cookie: (await signUp(backend)).cookie ?? '' }]) {
        const { status, body: response } = await call(id, headers);
        expect({ status, response }).toEqual({
          status: 200,
          response: name === 'notify complete' ? { success: true } : { entry: { id } },
        });
        expect(JSON.stringify(response)).not.toContain(email);
      }
    },
  );

  test.each(Object.entries(calls))('%s responds with 404 for an unknown id', async (_name, call) => {
    const { status, body } = await call(12345);
    expect({ status, body }).toEqual({
      status: 404,
      body: { statusCode: 404, message: 'No entry has the id 12345. Sign up to get one.', error: 'ENTRY_NOT_FOUND' },
    });
  });

  test('changes no other entry', async () => {
    const other = await anEntryId(backend);
    const before = await stored(other);
    const id = await anEntryId(backend);
    for (const call of Object.values(calls)) await call(id);
    expect(await stored(other)).toEqual(before);
  });
});

describe('the step of an entry', () => {
  test('advances to 2, and never goes back', async () => {
    const id = await anEntryId(backend);
    for (const step of [2, 2, 1]) {
      expect((await put(`${id}/step/${step}`)).status).toBe(200);
      expect(await stored(id)).toMatchObject({ step: 2 });
    }
  });
});

describe('completing an entry', () => {
  test('is idempotent: keeps the first timestamp', async () => {
    const id = await anEntryId(backend);
    await put(`${id}/complete`);
    const once = await stored(id);
    expect(once.completed_at).toBeInstanceOf(Date);
    // A browser may send an empty JSON object instead of no body.
    expect((await put(`${id}/complete`, {})).status).toBe(200);
    expect(await stored(id)).toEqual(once);
  });
});

describe('a completion notice', () => {
  test('is acknowledged and stored with the time of its receipt; a later one changes nothing', async () => {
    const id = await anEntryId(backend);
    const { status, body } = await notify(id, { source: 'first', timestamp: '1999-12-31T23:59:59+01:00' });
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    const once = await stored(id);
    expect([once.notice_source, once.notice_timestamp]).toEqual(['first', new Date('1999-12-31T22:59:59Z')]);
    expect(Math.abs(Number(once.notice_received_at) - Date.now())).toBeLessThan(60_000);
    const later = await notify(id, { source: 'emergency', timestamp: '2030-01-01T00:00:00Z' });
    expect(later.body).toEqual({ success: true });
    expect(await stored(id)).toEqual(once);
  });
});

describe('the selected offers', () => {
  test('replace the previous selection', async () => {
    const id = await anEntryId(backend);
    expect(await stored(id)).toMatchObject({ selected_offers: null });
    await put(`${id}/offers`, { selectedOffers: ['tmobile', 'grocery'] });
    expect(await stored(id)).toMatchObject({ selected_offers: ['tmobile', 'grocery'] });
    await put(`${id}/offers`, { selectedOffers: [] });
    expect(await stored(id)).toMatchObject({ selected_offers: [] });
  });
});

describe('the information of an entry', () => {
  test('is trimmed and saved', async () => {
    const id = await anEntryId(backend);
    await put(`${id}`, information({ firstName: '  Zoë 😀 ' }));
    expect(await stored(id)).toMatchObject({ first_name: 'Zoë 😀', last_name: 'Lovelace', zip_code: '10001' });
  });
});

describe('the client details of an entry', () => {
  const detailsAfter = async (headers: Record<string, string>) => {
    const id = await anEntryId(backend);
    await put(`${id}/update-client-info`, undefined, headers);
    const { user_agent, language, network_address } = await stored(id);
    return { user_agent, language, network_address };
  };

  test('contain user agent, first language and the network reported by the trusted proxy', async () => {
    const headers = {
      'user-agent': 'Reader/1.0',
      'accept-language': 'de-CH, de;q=0.9',
      'x-forwarded-for': '9.9.9.9, 203.0.113.77',
    };
    expect(await detailsAfter(headers)).toEqual({
      user_agent: 'Reader/1.0',
      language: 'de-CH',
      network_address: '203.0.113.0/24',
    });
  });

  test('tolerate invalid headers', async () => {
    const headers = {
      'user-agent': 'x'.repeat(5000),
      'accept-language': 'y'.repeat(5000),
      'x-forwarded-for': 'unknown',
    };
    expect(await detailsAfter(headers)).toEqual({
      user_agent: 'x'.repeat(512),
      language: 'y'.repeat(64),
      network_address: null,
    });
  });
});

const notOfThisBrowser = {
  statusCode: 404,
  message: 'This browser did not sign up with this address. Sign up to get an entry.',
  error: 'ENTRY_NOT_FOUND',
};

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

// These tests restart the backend with other settings.
describe('the signup cookie', () => {
  const oldSecret = 'o'.repeat(32);
  const newSecret = 'n'.repeat(32);

  test('is HttpOnly and SameSite=Lax, and lasts 30 days', async () => {
    const [cookie] = (await signUp(backend)).headers.getSetCookie();
    const attributes = cookie?.split('; ').slice(1).sort();
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/api', 'SameSite=Lax']);
  });

  /** Signs an entry's id with the raw secret, as an earlier version did. */
  const signRaw = (id: number, secret: string) => {
    const digest = createHmac('sha256', secret).update(String(id)).digest('base64').replaceAll('=', '');
    return `waitlist=${encodeURIComponent(`${id}.${digest}`)}`;
  };

  test('stays valid during secret rotation, and the next signup signs it with a key derived from the new secret', async () => {
    const email = anAddress();
    await restart({ COOKIE_SECRET: [oldSecret] });
    const { cookie, body } = await signUp(backend, { email });
    const { id } = body.entry;
    await restart({ COOKIE_SECRET: [newSecret, oldSecret] });
    const raw = [signRaw(id, newSecret), signRaw(id, oldSecret)];
    for (const valid of [cookie, ...raw]) expect((await findByEmail(email, valid)).status).toBe(200);
    expect((await findByEmail(email, signRaw(id, 'x'.repeat(32)))).status).toBe(404);
    expect(raw).not.toContain((await signUp(backend)).cookie);
    const resigned = (await signUp(backend, { cookie })).cookie;
    await restart({ COOKIE_SECRET: [newSecret] });
    expect((await findByEmail(email, cookie)).status).toBe(404);
    expect((await findByEmail(email, resigned)).status).toBe(200);
  });

  test.each([
    [{ PUBLIC_URL: 'https://daybook.example' }, 'http', true],
    [{ PUBLIC_URL: 'http://daybook.example' }, 'https', false],
    [{ TRUSTED_PROXIES: 0 }, 'https', false],
    [{ TRUSTED_PROXIES: 2 }, 'https', true],
  ])('with the settings %j and a proxy that reports %s, is Secure: %s', async (settings, scheme, isSecure) => {
    await restart(settings);
    const headers = { 'x-forwarded-for': '192.0.2.9, 198.51.100.8, 203.0.113.7', 'x-forwarded-proto': scheme };
    const { body, headers: received } = await signUp(backend, { headers });
    expect(received.getSetCookie()[0]?.includes('; Secure')).toBe(isSecure);
    // The same settings state which address of X-Forwarded-For is the visitor's.
    const networks: Record<number, string> = { 0: '127.0.0.0/24', 1: '203.0.113.0/24', 2: '198.51.100.0/24' };
    await put(`${body.entry.id}/update-client-info`, undefined, headers);
    const hops = 'TRUSTED_PROXIES' in settings ? Number(settings.TRUSTED_PROXIES) : 1;
    expect(await stored(body.entry.id)).toMatchObject({ network_address: networks[hops] });
  });
});

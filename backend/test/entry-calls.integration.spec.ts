import { describe, expect, test } from '@jest/globals';
import { anEntryId, completionNotice, information, signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend();

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

  test.each(['0', '3', '-1', 'two', '1.5'])('is rejected if it is %s', async (step) => {
    const id = await anEntryId(backend);
    expect(await put(`${id}/step/${step}`)).toMatchObject({ status: 400, body: { error: 'VALIDATION_FAILED' } });
    expect(await stored(id)).toMatchObject({ step: 1 });
  });
});

describe('completing an entry', () => {
  test('is idempotent: keeps the first timestamp', async () => {
    const id = await anEntryId(backend);
    await put(`${id}/complete`);
    const once = await stored(id);
    expect(once.completed_at).toBeInstanceOf(Date);
    expect((await put(`${id}/complete`)).status).toBe(200);
    expect(await stored(id)).toEqual(once);
  });

  test('accepts an empty JSON object instead of no body, and explains the error of an empty JSON text', async () => {
    const id = await anEntryId(backend);
    expect((await put(`${id}/complete`, {})).status).toBe(200);
    expect(await put(`${id}/complete`, undefined, { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      body: { error: 'MALFORMED_JSON' },
    });
  });
});

describe('a completion notice', () => {
  test('is acknowledged and stored with the time of its receipt', async () => {
    const id = await anEntryId(backend);
    const { status, body } = await notify(id, { source: 'first', timestamp: '1999-12-31T23:59:59+01:00' });
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    const { notice_source, notice_timestamp, notice_received_at } = await stored(id);
    expect([notice_source, notice_timestamp]).toEqual(['first', new Date('1999-12-31T22:59:59Z')]);
    expect(Math.abs(Number(notice_received_at) - Date.now())).toBeLessThan(60_000);
  });

  test('is idempotent, also with another source', async () => {
    const id = await anEntryId(backend);
    await notify(id, { source: 'first' });
    const once = await stored(id);
    expect((await notify(id, { source: 'emergency', timestamp: '2030-01-01T00:00:00Z' })).body).toEqual({
      success: true,
    });
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

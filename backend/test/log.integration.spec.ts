import { describe, expect, test } from '@jest/globals';
import { completionNotice, emergencyNotice, information } from './support/factories.ts';
import { useSite } from './support/use-site.ts';

interface Line {
  readonly time: string;
  readonly level: string;
  readonly service: string;
  readonly msg: string;
  readonly requestId?: string;
  readonly route?: string;
  readonly method?: string;
  readonly status?: number;
  readonly duration?: number;
}

const { database, visit } = useSite();

const email = 'ada.lovelace@example.com';
const inQuery = `email=${encodeURIComponent(email)}`;

/** Returns what both servers log during a visit. */
async function logOf(level: string, visitor: (address: string) => Promise<unknown>) {
  const text = await visit({ LOG_LEVEL: level }, visitor);
  const lines = text.trim().split('\n');
  return { text, lines: lines.map((line): Line => JSON.parse(line)) };
}

/** Sends all requests that can contain an address: those of the pages, and malformed ones. */
async function journey(address: string): Promise<void> {
  const send = (method: string, path: string, json?: object | string, headers: Record<string, string> = {}) =>
    fetch(address + path, {
      method,
      headers: {
        referer: `${address}/thank-you?${inQuery}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: typeof json === 'string' ? json : JSON.stringify(json) }),
    });
  await send('GET', `/?${inQuery}`);
  const signedUp = await send('POST', '/api/waitlist', { email }, { 'x-request-id': 'from-the-proxy-1' });
  expect(signedUp.headers.get('x-request-id')).toBe('from-the-proxy-1');
  const { entry } = (await signedUp.json()) as { entry: { id: number } };
  await send('GET', `/thank-you?${inQuery}&id=${entry.id}`);
  await send('GET', `/api/waitlist/by-email?${inQuery}`, undefined, { 'x-request-id': email });
  await send('PUT', `/api/waitlist/${entry.id}`, information());
  await send('PUT', `/api/waitlist/${entry.id}/step/2`);
  await send('PUT', `/api/waitlist/${entry.id}/complete`);
  await send('PUT', `/api/waitlist/${entry.id}/update-client-info`);
  await send('POST', `/api/waitlist/${entry.id}/notify-complete`, completionNotice());
  await send('POST', '/api/emergency-webhook', emergencyNotice({ email }));
  // Rejected requests must not be quoted either.
  await send('POST', '/api/waitlist', { email: `${email}@` });
  await send('POST', '/api/waitlist', `{"email": "${email}"`);
  await send('PUT', `/api/waitlist/${email}/complete`);
  for (const nowhere of [`/${email}`, `/api/${email}?${inQuery}`, `/%ZZ?${inQuery}`, `/api/%ZZ?${inQuery}`]) {
    await send('GET', nowhere);
    await send('POST', nowhere, { email });
  }
}

describe('the log of a whole journey', () => {
  test('contains no address at any level', async () => {
    const { text, lines } = await logOf('trace', journey);
    expect(text).not.toMatch(/@|%40|lovelace/i);
    for (const line of lines) {
      expect(line).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        level: expect.stringMatching(/^(?:error|warn|info|debug|trace)$/),
        service: expect.stringMatching(/^(?:shell|backend)$/),
        msg: expect.any(String),
      });
    }
  });

  test('has a line for each write, with the same request id on both servers', async () => {
    const { lines } = await logOf('info', journey);
    const signup = lines.filter(({ requestId }) => requestId === 'from-the-proxy-1');
    expect(signup).toMatchObject([
      { service: 'shell', method: 'POST', route: '/api/*', status: 201, duration: expect.any(Number) },
      { service: 'backend', method: 'POST', route: '/api/waitlist', status: 201, duration: expect.any(Number) },
    ]);
    const responses = lines.filter(({ status }) => status !== undefined);
    expect(responses.filter(({ method }) => method === 'GET')).toEqual([]);
    const idsOf = (service: string) =>
      responses.filter((line) => line.service === service).map((line) => line.requestId);
    for (const requestId of idsOf('backend')) expect(idsOf('shell')).toContain(requestId);
  });

  test('has an error with the request id when a statement fails, without the request’s data', async () => {
    await database.query('ALTER TABLE waitlist_entry ADD CHECK (step < 2) NOT VALID');
    const { lines, text } = await logOf('info', journey);
    const failed = lines.filter(({ level }) => level === 'error');
    expect(failed).toMatchObject([
      {
        service: 'backend',
        requestId: expect.any(String),
        method: 'PUT',
        route: '/api/waitlist/:id/step/:step',
        status: 500,
        code: 'INTERNAL',
      },
    ]);
    expect(text).not.toMatch(/lovelace|example/i);
  });
});

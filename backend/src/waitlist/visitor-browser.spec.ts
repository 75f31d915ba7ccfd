import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { clientInfoOf, entriesOfBrowser, rememberEntry } from './visitor-browser.ts';

let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  await app.register(cookie, { secret: 'a'.repeat(32) });
  app.get('/entries', (request) => entriesOfBrowser(request));
  app.post<{ Params: { id: string } }>('/entries/:id', (request, reply) => {
    rememberEntry(request, reply, Number(request.params.id));
    return reply.send();
  });
});
afterAll(() => app.close());

const entriesWith = async (header: string) =>
  (await app.inject({ url: '/entries', headers: { cookie: header } })).json();

test('the cookie holds the browser’s last five entries, newest first', async () => {
  let header = '';
  for (const id of [1, 2, 3, 2, 4, 5, 6]) {
    const { headers } = await app.inject({ method: 'POST', url: `/entries/${id}`, headers: { cookie: header } });
    [header = ''] = String(headers['set-cookie']).split(';');
  }
  expect(await entriesWith(header)).toEqual([6, 5, 4, 2, 3]);
  const forged = encodeURIComponent(cookie.sign('7', 'b'.repeat(32)));
  for (const others of ['waitlist=junk', `waitlist=${forged}`, 'a=1; waitlist=7.; waitlist="']) {
    expect(await entriesWith(others)).toEqual([]);
    expect(await entriesWith(`${others}; ${header}`)).toEqual([6, 5, 4, 2, 3]);
  }
});

test.each([
  [{ 'accept-language': 'en-US,en;q=0.9' }, '::ffff:203.0.113.77', [null, 'en-US', '203.0.113.0/24']],
  [{ 'accept-language': 'y'.repeat(5000) }, '2001:db8:1:2:3:4:5:6', [null, 'y'.repeat(64), '2001:db8:1::/48']],
])('the client details of a request with the headers %.40j from %s are truncated', (headers, ip, expected) => {
  const { userAgent, language, network } = clientInfoOf({ headers, ip });
  expect([userAgent, language, network]).toEqual(expected);
});

import { waitlistEntryIdLimit } from '@daybook/contract/api';
import cookie from '@fastify/cookie';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
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

test('the cookie holds the ids of the browser’s last five entries, newest first and each once', async () => {
  // Few small ids, so that some are signed up again.
  const id = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: waitlistEntryIdLimit - 1 }));
  await fc.assert(
    fc.asyncProperty(fc.array(id, { minLength: 1, maxLength: 8 }), async (signedUp) => {
      let header = '';
      for (const id of signedUp) {
        const { headers } = await app.inject({ method: 'POST', url: `/entries/${id}`, headers: { cookie: header } });
        [header = ''] = String(headers['set-cookie']).split(';');
      }
      expect(await entriesWith(header)).toEqual([...new Set(signedUp.toReversed())].slice(0, 5));
    }),
  );
});

test('a cookie that this server did not sign is ignored', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.stringMatching(/^[\d_.%;= "A-Za-z+/-]*$/),
    fc.nat().map((id) => cookie.sign(String(id), 'b'.repeat(32))),
    fc.nat().map((id) => `${id}.`),
  );
  // Without control characters: Node rejects headers with them before any cookie is read.
  const text = value.map((each) => each.replaceAll(/[^\x20-\x7e]/g, ''));
  await fc.assert(
    fc.asyncProperty(text, async (forged) => {
      for (const header of [`waitlist=${forged}`, `waitlist=${encodeURIComponent(forged)}`, forged])
        expect(await entriesWith(header)).toEqual([]);
    }),
  );
});

test.each(['waitlist=junk; ', 'a=1; waitlist=7.forged; waitlist="; '])(
  'of several cookies, the one that this server signed counts: after %j',
  async (others) => {
    const { headers } = await app.inject({ method: 'POST', url: '/entries/7' });
    const [own = ''] = String(headers['set-cookie']).split(';');
    expect(await entriesWith(`${others}${own}`)).toEqual([7]);
    expect(await entriesWith(`${own}; ${others}`)).toEqual([7]);
  },
);

test.each([
  [{}, '', [null, null, null]],
  [{ 'accept-language': 'en-US,en;q=0.9' }, '203.0.113.77', [null, 'en-US', '203.0.113.0/24']],
  [{ 'accept-language': 'fr;q=0.5' }, '::ffff:203.0.113.77', [null, 'fr', '203.0.113.0/24']],
  [{ 'accept-language': '*' }, '2001:db8:1:2:3:4:5:6', [null, '*', '2001:db8:1::/48']],
  [{ 'accept-language': '' }, '::1', [null, null, '::/48']],
  [{ 'accept-language': 'y'.repeat(5000) }, 'unknown', [null, 'y'.repeat(64), null]],
  [{ 'user-agent': 'x'.repeat(5000) }, "1.2.3.4'--", ['x'.repeat(512), null, null]],
])('the client details of a request with the headers %.40j from %s are truncated', (headers, ip, expected) => {
  const { userAgent, language, network } = clientInfoOf({ headers, ip });
  expect([userAgent, language, network]).toEqual(expected);
});

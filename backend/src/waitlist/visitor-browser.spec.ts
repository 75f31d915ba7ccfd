import { waitlistEntryIdLimit } from '@daybook/contract/api';
import cookie from '@fastify/cookie';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import fastify, { type FastifyInstance } from 'fastify';
import { clientInfoOf, entriesOfBrowser, rememberEntry } from './visitor-browser.ts';

const secret = 'a'.repeat(32);
let app: FastifyInstance;

beforeAll(async () => {
  app = fastify();
  await app.register(cookie, { secret });
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
  const ids = fc.array(id, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(ids, async (signedUp) => {
      let header = '';
      for (const id of signedUp) {
        const { headers } = await app.inject({ method: 'POST', url: `/entries/${id}`, headers: { cookie: header } });
        [header = ''] = String(headers['set-cookie']).split(';');
      }
      expect(await entriesWith(header)).toEqual([...new Set(signedUp.toReversed())].slice(0, 5));
    }),
  );
});

test('ignores a cookie that this server did not sign', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.stringMatching(/^[\d_.%;= "A-Za-z+/-]*$/),
    fc.nat().map((id) => cookie.sign(String(id), 'b'.repeat(32))),
    fc.nat().map((id) => `${id}.`),
  );
  await fc.assert(
    // Without control characters: Node rejects headers with them before any cookie is read.
    fc.asyncProperty(
      value.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '')),
      async (text) => {
        expect(await entriesWith(`waitlist=${text}`)).toEqual([]);
        expect(await entriesWith(`waitlist=${encodeURIComponent(text)}`)).toEqual([]);
        expect(await entriesWith(text)).toEqual([]);
      },
    ),
  );
});

describe('the client details of a request', () => {
  test('are null for a request without headers', () => {
    expect(clientInfoOf({ headers: {}, ip: '' })).toEqual({ userAgent: null, language: null, networkAddress: null });
  });

  test.each([
    ['en-US,en;q=0.9', 'en-US'],
    ['fr;q=0.5', 'fr'],
    ['*', '*'],
    ['', null],
  ])('contain the first language of Accept-Language %s', (header, language) => {
    expect(clientInfoOf({ headers: { 'accept-language': header }, ip: '::1' })).toMatchObject({ language });
  });

  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::1', '::/48'],
    ['unknown', null],
    ["1.2.3.4'--", null],
  ])('truncate the address %s to the network %s', (ip, networkAddress) => {
    expect(clientInfoOf({ headers: {}, ip })).toMatchObject({ networkAddress });
  });
});

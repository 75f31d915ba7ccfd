import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorBodySchema } from '@daybook/contract/api';
import { connectionLimits, dataHeaders, maxUrlLength } from '@daybook/server';
import { describe, expect, test } from '@jest/globals';
import { anAddress } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PUBLIC_URL: 'https://daybook.example' });

/** Sends raw bytes, and parses the raw response. */
async function sendBytes(bytes: string): Promise<{ status: number; headers: Headers; body: unknown }> {
  const socket = connect(Number(new URL(backend.url).port), '127.0.0.1');
  socket.write(bytes);
  const response = await text(socket);
  const [head = '', body = ''] = response.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { status: Number(first.split(' ')[1]), headers, body: body === '' ? undefined : JSON.parse(body) };
}

function expectSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(dataHeaders)) expect([name, headers.get(name)]).toEqual([name, value]);
  expect(headers.get('server')).toBeNull();
  expect(headers.get('x-powered-by')).toBeNull();
}

describe('a write from another site’s page (CSRF)', () => {
  const signUpFrom = (origin: string) =>
    backend.request('POST', '/api/waitlist', { json: { email: anAddress() }, headers: { origin } });

  test('is rejected, and stores nothing', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://daybook.example.evil.example']) {
      const { status, body, headers } = await signUpFrom(origin);
      expect([status, body]).toEqual([
        403,
        { statusCode: 403, message: 'Only pages of this site may send this.', error: 'FOREIGN_ORIGIN' },
      ]);
      expectSecurityHeaders(headers);
    }
    expect(await database.query('SELECT FROM subscriber')).toHaveLength(0);
  });

  test('is accepted from this site, by the requested host or by PUBLIC_URL', async () => {
    expect((await signUpFrom(backend.url)).status).toBe(201);
    expect((await signUpFrom('https://daybook.example')).status).toBe(201);
  });
});

describe('every response has security headers and no server banner', () => {
  const close = 'connection: close\r\n\r\n';
  test.each<[string, string, number]>([
    ['a probe in HTTP/1.0 without a host', 'GET /readyz HTTP/1.0\r\n\r\n', 200],
    ['a malformed host', `GET /healthz HTTP/1.1\r\nhost: x@y\r\n${close}`, 400],
    ['a success', `GET /healthz HTTP/1.1\r\nhost: x\r\n${close}`, 200],
    ['a missing address', `GET /nothing HTTP/1.1\r\nhost: x\r\n${close}`, 404],
    ['an address that cannot be decoded', `GET /api/waitlist/%ZZ HTTP/1.1\r\nhost: x\r\n${close}`, 400],
    ['an address that is too long', `GET /${'x'.repeat(maxUrlLength)} HTTP/1.1\r\nhost: x\r\n${close}`, 414],
    ['a request without a host', `GET /healthz HTTP/1.1\r\n${close}`, 400],
    ['an expectation', `GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n${close}`, 417],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['something that is not HTTP', 'HELLO\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', 400],
    [
      'content length and chunked encoding',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a line break in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx: a\rb: c\r\n\r\n', 400],
    ['an unknown method', `BREW /api/waitlist HTTP/1.1\r\nhost: x\r\n${close}`, 400],
  ])('%s', async (_what, bytes, expected) => {
    const { status, headers, body } = await sendBytes(bytes);
    expect(status).toBe(expected);
    expectSecurityHeaders(headers);
    if (status !== 200) expect(errorBodySchema.parse(body).statusCode).toBe(status);
  });
});

describe('a slow client', () => {
  test('is disconnected when its headers time out', async () => {
    const since = Date.now();
    const { status, headers } = await sendBytes('POST /api/waitlist HTTP/1.1\r\nhost: x\r\n');
    expect(status).toBe(408);
    expectSecurityHeaders(headers);
    expect(Date.now() - since).toBeLessThan(connectionLimits.headers + 5_000);
  });

  test('has timeouts for the whole request and for inactivity', () => {
    const { server } = backend.app.getHttpAdapter().getInstance();
    expect(server.requestTimeout).toBe(30_000);
    expect(server.timeout).toBe(60_000);
    expect(server.maxConnections).toBe(10_000);
  });
});

import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { errorBodySchema } from '@daybook/contract/api';
import { heapUsed } from '@daybook/testing/heap';
import { randomFrom } from '@daybook/testing/random';
import { expect, jest, test } from '@jest/globals';
import { type HostileRequest, hostileRequest } from './support/hostile-requests.ts';
import { useBackend } from './support/use-backend.ts';

const requests = 10_000;
const atOnce = 20;
/** Max heap growth in the second half, in bytes. */
const mostGrowth = 8_000_000;

jest.setTimeout(240_000);

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

/** Sends a request and returns the raw response; empty without one. */
async function rawResponseTo({ bytes, isCutOff }: HostileRequest, port: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    // The server waits for the rest of a body that it has rejected: as long as for any.
    socket.end();
  });
  // The server may reset the connection if it rejects a request that is still being sent.
  socket.on('error', () => undefined);
  if (isCutOff) socket.end(bytes);
  else socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** Returns the error of a response; `undefined` if it is correct. */
function faultOf(response: string, { isCutOff }: HostileRequest): string | undefined {
  if (response === '') return isCutOff ? undefined : 'no response';
  const [head = '', body = ''] = response.split('\r\n\r\n', 2);
  const status = Number(head.split(' ', 2)[1]);
  if (!(status >= 400 && status < 500)) return `status ${status}`;
  // Node's own.
  if (body === '' || status === 417) return undefined;
  if (!/^x-content-type-options: nosniff$/im.test(head)) return 'no security headers';
  if (/^(?:set-cookie|server|x-powered-by):/im.test(head)) return 'a forbidden header';
  return errorBodySchema.safeParse(JSON.parse(body)).data?.statusCode === status ? undefined : `the body ${body}`;
}

test('rejects 10,000 invalid requests without storing anything or leaking memory', async () => {
  const seed = Number(process.env.HOSTILE_SEED ?? randomInt(2 ** 32));
  const random = randomFrom(seed);
  const { port } = new URL(backend.url);
  await backend.signUp();
  const before = await database.everything();
  const faults: string[] = [];
  let sent = 0;
  const sendUntil = (end: number) =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (sent < end) {
          sent += 1;
          const request = hostileRequest(random, port);
          const fault = faultOf(await rawResponseTo(request, port), request);
          if (fault) faults.push(`${fault}: ${request.what}`);
        }
      }),
    );

  await sendUntil(requests / 2);
  const halfway = heapUsed();
  await sendUntil(requests);
  const growth = heapUsed() - halfway;

  // To reproduce the same requests: HOSTILE_SEED=<seed>.
  expect({ seed, faults: faults.slice(0, 10) }).toEqual({ seed, faults: [] });
  expect(await database.everything()).toEqual(before);
  expect(growth).toBeLessThan(mostGrowth);
  expect(({} as Record<string, unknown>).email).toBeUndefined();
  expect((await backend.request('GET', '/healthz')).status).toBe(200);
});

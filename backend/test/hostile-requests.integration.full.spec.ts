import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { errorBodySchema } from '@daybook/contract';
import { beforeAll, expect, test } from '@jest/globals';
import { anEntryId } from './support/factories.ts';
import { type HostileRequest, hostileRequest } from './support/hostile-requests.ts';
import { SeededRandom } from './support/seeded-random.ts';
import { useBackend } from './support/use-backend.ts';

const requests = 10_000;
const atOnce = 20;
/** Bytes by which the heap may be larger after the second half than after the first. */
const mostGrowth = 8_000_000;

let port: string;
const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

beforeAll(() => {
  port = new URL(backend.url).port;
});

const everythingStored = async () => [
  await database.query('SELECT * FROM subscriber'),
  await database.query('SELECT * FROM waitlist_entry'),
  await database.query('SELECT * FROM emergency_notice'),
  await database.query('SELECT * FROM privacy_request'),
  await database.query('SELECT * FROM outbox_event'),
];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** The whole answer as it is; empty where there is none. */
async function answerTo({ bytes, isCutOff }: HostileRequest): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that refuses while we still write may reset the connection.
  socket.on('error', () => undefined);
  if (isCutOff) socket.end(bytes);
  else socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** What is wrong with an answer; `undefined` where nothing is. */
function faultOf(answer: string, { isCutOff }: HostileRequest): string | undefined {
  if (answer === '') return isCutOff ? undefined : 'no answer';
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  const status = Number(head.split(' ', 2)[1]);
  if (!(status >= 400 && status < 500)) return `status ${status}`;
  if (!/^x-content-type-options: nosniff$/im.test(head)) return 'no security headers';
  if (/^(?:set-cookie|server|x-powered-by):/im.test(head)) return 'a header too many';
  return errorBodySchema.safeParse(JSON.parse(body)).data?.statusCode === status ? undefined : `the body ${body}`;
}

test('10,000 bad requests are refused each, store nothing, and leave the memory as it was', async () => {
  const seed = Number(process.env.HOSTILE_SEED ?? randomInt(2 ** 32));
  const random = new SeededRandom(seed);
  await anEntryId(backend);
  const before = await everythingStored();
  const faults: string[] = [];
  let sent = 0;
  const sendUntil = (end: number) =>
    Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (sent < end) {
          sent += 1;
          const request = hostileRequest(random, port);
          const fault = faultOf(await answerTo(request), request);
          if (fault) faults.push(`${fault}: ${request.what}`);
        }
      }),
    );

  await sendUntil(requests / 2);
  const halfway = heapUsed();
  await sendUntil(requests);
  const growth = heapUsed() - halfway;

  // HOSTILE_SEED=<seed> makes the same requests again.
  expect({ seed, faults: faults.slice(0, 10) }).toEqual({ seed, faults: [] });
  expect(await everythingStored()).toEqual(before);
  expect(growth).toBeLessThan(mostGrowth);
  expect(({} as Record<string, unknown>).email).toBeUndefined();
  expect((await backend.request('GET', '/healthz')).status).toBe(200);
}, 60_000);

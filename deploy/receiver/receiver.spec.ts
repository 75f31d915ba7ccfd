import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { FakeListmonk } from '@daybook/testing/listmonk';
import { findFreePort } from '@daybook/testing/ports';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { root } from '@daybook/testing/workspaces';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

const list = 3;
const [newSecret, oldSecret] = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
];
const listmonk = new FakeListmonk();
let receiver: ChildProcess;
let url: string;
let logged: string;

const startScript = path.join(import.meta.dirname, 'start.sh');
const folder = makeTemporaryFolder();

/** Returns the container's environment; its secrets are files. */
function environmentWith(secrets: Readonly<Record<string, string>>) {
  const files = Object.entries(secrets).map(([name, secret]) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${secret}\n`);
    return [`${name}_FILE`, file];
  });
  const PATH = `${path.dirname(process.execPath)}:${process.env.PATH}`;
  return { PATH, LISTMONK_URL: listmonk.url, LISTMONK_LIST: String(list), ...Object.fromEntries(files) };
}

async function startReceiver() {
  const port = await findFreePort();
  const environment = environmentWith({
    WEBHOOK_SECRET: `${newSecret},${oldSecret}`,
    LISTMONK_TOKEN: listmonk.token,
  });
  receiver = spawn('sh', [startScript], {
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  receiver.stderr?.on('data', (text) => {
    logged += text;
  });
  url = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(url));
}

async function stopReceiver() {
  receiver.kill();
  await once(receiver, 'exit');
}

beforeAll(async () => {
  await listmonk.start();
  await startReceiver();
});
beforeEach(() => {
  listmonk.reset();
  logged = '';
});
afterAll(async () => {
  await stopReceiver();
  await listmonk.stop();
  rmSync(folder, { recursive: true });
});

interface Event {
  readonly id: string;
  readonly body: string;
}

let lastId = 0;
function anEvent(type: string, data: object): Event {
  lastId += 1;
  return { id: `event-${lastId}`, body: JSON.stringify({ type, timestamp: '2026-11-21T12:00:00.000Z', data }) };
}

/** Returns a time in an event, by its minute. */
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString();
const email = 'Ada@example.com';
const aSignup = (minute: number, data: object = {}) =>
  anEvent('signup.created', {
    entryId: 1,
    email,
    signedUpAt: at(minute),
    resubscribed: false,
    suspected: false,
    ...data,
  });
const aRequest = (minute: number, kind = 'unsubscribe', data: object = {}) =>
  anEvent('privacy_request.received', { reference: 'K7QM-3XTA-9VD2', kind, email, receivedAt: at(minute), ...data });

/** Sends an event as the backend does, and returns the status of the response. */
async function send({ id, body }: Event, secret = newSecret): Promise<number> {
  const now = new Date();
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.text();
  return response.status;
}

async function sendAll(...events: readonly Event[]) {
  for (const event of events) expect(await send(event)).toBe(204);
}

const statusOf = (address = email) => listmonk.find(address)?.lists.get(list);
const confirm = () => listmonk.find(email)?.lists.set(list, 'confirmed');
const changes = () => listmonk.calls.filter((call) => !call.startsWith('GET'));

test('docs/webhooks.md shows the receiver, in at most 40 lines', () => {
  const code = readFileSync(path.join(import.meta.dirname, 'receiver.mjs'), 'utf8');
  const [, shown] = /```js\n(.+?)```/s.exec(readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8')) ?? [];
  expect(shown).toBe(code);
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});

describe('a signup', () => {
  test('adds an unconfirmed subscriber, who is asked once', async () => {
    await sendAll(aSignup(1));
    expect(statusOf()).toBe('unconfirmed');
    expect(listmonk.asked).toEqual(['ada@example.com']);
    expect(listmonk.find(email)).toMatchObject({ name: 'Ada', status: 'enabled', attribs: { siteEventAt: at(1) } });
  });

  test('adds a known subscriber to the list, and retains the rest', async () => {
    listmonk.add(email, { name: 'Ada L.', attribs: { city: 'London' }, lists: new Map([[9, 'confirmed']]) });
    await sendAll(aSignup(1));
    expect(statusOf()).toBe('unconfirmed');
    expect(listmonk.asked).toEqual(['ada@example.com']);
    const { name, attribs, lists } = listmonk.find(email) ?? {};
    expect([name, attribs, lists?.get(9)]).toEqual(['Ada L.', { city: 'London', siteEventAt: at(1) }, 'confirmed']);
  });

  test('does not change a confirmed subscriber', async () => {
    await sendAll(aSignup(1));
    confirm();
    await sendAll(aSignup(2), aSignup(3, { suspected: true }));
    expect(statusOf()).toBe('confirmed');
    expect(listmonk.asked).toHaveLength(1);
  });

  test('asks again if the subscriber has not confirmed', async () => {
    await sendAll(aSignup(1), aSignup(2));
    expect(statusOf()).toBe('unconfirmed');
    expect(listmonk.asked).toHaveLength(2);
  });

  test('after an unsubscribe asks again', async () => {
    await sendAll(aSignup(1));
    confirm();
    await sendAll(aRequest(2), aSignup(3, { resubscribed: true }));
    expect(statusOf()).toBe('unconfirmed');
    expect(listmonk.asked).toHaveLength(2);
  });

  test('asks a confirmed subscriber whose unsubscribe was not delivered', async () => {
    await sendAll(aSignup(1));
    confirm();
    await sendAll(aSignup(3, { resubscribed: true }));
    expect(statusOf()).toBe('unconfirmed');
    expect(listmonk.asked).toHaveLength(2);
  });

  test('does not change a blocklisted subscriber', async () => {
    listmonk.add(email, { status: 'blocklisted', lists: new Map([[list, 'unsubscribed']]) });
    await sendAll(aSignup(1), aSignup(2, { resubscribed: true }));
    expect([statusOf(), listmonk.find(email)?.status]).toEqual(['unsubscribed', 'blocklisted']);
    expect(changes()).toEqual([]);
  });

  test.each([
    "o'hara@example.com",
    "'or''='@example.com",
    "x'/**/or/**/1=1--@example.com",
    '`$&;%{x}`@example.com',
    '"\\"@example.com',
    '%order%@example.com',
  ])('finds %s again', async (address) => {
    listmonk.add('other@example.com', { lists: new Map([[list, 'confirmed']]) });
    await sendAll(aSignup(1, { email: address }));
    expect(statusOf(address)).toBe('unconfirmed');
    await sendAll(aRequest(2, 'unsubscribe', { email: address.toUpperCase() }));
    expect(statusOf(address)).toBe('unsubscribed');
    expect([listmonk.subscribers.length, statusOf('other@example.com')]).toEqual([2, 'confirmed']);
  });
});

describe('an unsubscribe', () => {
  test.each(['unsubscribe', 'ca-unsubscribe'])('of kind %s ends a subscription', async (kind) => {
    await sendAll(aSignup(1));
    confirm();
    await sendAll(aRequest(2, kind));
    expect(statusOf()).toBe('unsubscribed');
  });

  test('ends an unconfirmed subscription without a mail', async () => {
    await sendAll(aSignup(1), aRequest(2));
    expect(statusOf()).toBe('unsubscribed');
    expect(listmonk.asked).toHaveLength(1);
  });

  test('leaves the other lists of a subscriber alone', async () => {
    listmonk.add(email, { lists: new Map([[9, 'confirmed']]) });
    await sendAll(aSignup(1), aRequest(2));
    expect(listmonk.find(email)?.lists.get(9)).toBe('confirmed');
  });

  test('of an unknown email changes nothing', async () => {
    await sendAll(aRequest(1));
    expect(changes()).toEqual([]);
  });
});

describe('an event that arrives again', () => {
  test('asks nobody twice', async () => {
    const signup = aSignup(1);
    await sendAll(signup, signup);
    expect(statusOf()).toBe('unconfirmed');
    expect(listmonk.asked).toHaveLength(1);
  });

  test('does not change a subscriber who has confirmed or left by mail', async () => {
    const signup = aSignup(1);
    for (const status of ['confirmed', 'unsubscribed'] as const) {
      await sendAll(signup);
      listmonk.find(email)?.lists.set(list, status);
      await sendAll(signup);
      expect(statusOf()).toBe(status);
    }
    expect(listmonk.asked).toHaveLength(1);
  });

  test('retains a confirmed subscription after a restart', async () => {
    const signup = aSignup(1, { resubscribed: true });
    await sendAll(signup);
    confirm();
    await stopReceiver();
    await startReceiver();
    await sendAll(signup);
    expect(statusOf()).toBe('confirmed');
    expect(listmonk.asked).toHaveLength(1);
  });

  test.each(['restarted', 'running'])('as a signup after its unsubscribe changes nothing (%s)', async (state) => {
    const signup = aSignup(1);
    await sendAll(signup, aRequest(2));
    if (state === 'restarted') {
      await stopReceiver();
      await startReceiver();
    }
    await sendAll(signup);
    expect(statusOf()).toBe('unsubscribed');
    expect(listmonk.asked).toHaveLength(1);
  });

  test('as an unsubscribe after a newer signup changes nothing', async () => {
    const unsubscribe = aRequest(2);
    await sendAll(aSignup(1), unsubscribe, aSignup(3, { resubscribed: true }));
    confirm();
    await sendAll(unsubscribe);
    expect(statusOf()).toBe('confirmed');
  });
});

describe('an older event that arrives for the first time', () => {
  test('does not undo an unsubscribe', async () => {
    await sendAll(aSignup(1), aRequest(3), aSignup(2));
    expect(statusOf()).toBe('unsubscribed');
    expect(listmonk.asked).toHaveLength(1);
  });

  test('does not undo a signup', async () => {
    await sendAll(aSignup(3), aRequest(2));
    expect(statusOf()).toBe('unconfirmed');
  });
});

describe('while listmonk is down', () => {
  test.each([500, 502, 403, 404, 429])('or responds with %i, an event is retried until it is up', async (status) => {
    listmonk.fails = () => status;
    const signup = aSignup(1);
    expect([await send(signup), await send(signup)]).toEqual([503, 503]);
    expect(logged).toContain(`${signup.id} Error: listmonk responded with ${status} to a GET`);
    listmonk.fails = () => undefined;
    await sendAll(signup);
    expect([statusOf(), listmonk.asked.length]).toEqual(['unconfirmed', 1]);
  });

  const halfway = (method: string) => (call: string) => (call.startsWith(method) ? 500 : undefined);
  test.each(['POST /api/subscribers', 'PUT', 'PATCH'])('a signup that fails at a %s is completed', async (call) => {
    listmonk.fails = halfway(call);
    const signup = aSignup(1);
    expect(await send(signup)).toBe(503);
    listmonk.fails = () => undefined;
    await sendAll(signup);
    expect([statusOf(), listmonk.asked.length]).toEqual(['unconfirmed', 1]);
  });

  test('a signup whose mail fails is asked later, even after a restart', async () => {
    listmonk.fails = (call) => (call.endsWith('/optin') ? 500 : undefined);
    const signup = aSignup(1);
    expect(await send(signup)).toBe(503);
    expect([statusOf(), listmonk.asked.length]).toEqual(['unconfirmed', 0]);
    await stopReceiver();
    await startReceiver();
    listmonk.fails = () => undefined;
    await sendAll(signup);
    expect([statusOf(), listmonk.asked.length]).toEqual(['unconfirmed', 1]);
  });

  test.each(['PUT', 'PATCH'])('an unsubscribe that fails at a %s is completed', async (method) => {
    await sendAll(aSignup(1));
    confirm();
    listmonk.fails = halfway(method);
    const unsubscribe = aRequest(2);
    expect(await send(unsubscribe)).toBe(503);
    listmonk.fails = () => undefined;
    await sendAll(unsubscribe, aSignup(1));
    expect(statusOf()).toBe('unsubscribed');
  });

  test('an event is retried if listmonk does not answer within 9 seconds', async () => {
    listmonk.fails = () => 'no answer';
    const sentAt = Date.now();
    expect(await send(aSignup(1))).toBe(503);
    expect(Date.now() - sentAt).toBeLessThan(10_000);
  });

  test('no email is logged', async () => {
    listmonk.fails = () => 500;
    await send(aSignup(1));
    await eventually(() => expect(logged).toContain('500'));
    expect(logged.toLowerCase()).not.toContain('ada');
  });
});

describe.each([
  ['subscriber.expired', 'expiredAt'],
  ['subscriber.forgotten', 'forgottenAt'],
])('%s', (type, field) => {
  const erasure = (minute: number) => anEvent(type, { email, [field]: at(minute) });

  test('deletes the subscriber, at each arrival', async () => {
    const event = erasure(2);
    await sendAll(aSignup(1), event, event);
    expect(listmonk.subscribers).toEqual([]);
  });

  test('deletes a subscriber who was added by hand before', async () => {
    listmonk.add(email, { created_at: '2026-11-21T13:00:00.000000+02:00' });
    await sendAll(erasure(2));
    expect(listmonk.subscribers).toEqual([]);
  });

  test('retains a subscriber who is newer', async () => {
    await sendAll(aSignup(3), erasure(2));
    expect(statusOf()).toBe('unconfirmed');
    listmonk.reset();
    listmonk.add(email, { created_at: '2026-11-21T11:30:00.000000-02:00' });
    await sendAll(erasure(2));
    expect(listmonk.subscribers).toHaveLength(1);
  });
});

describe('other requests', () => {
  afterEach(() => expect(listmonk.calls).toEqual([]));

  test('events without a use are acknowledged', async () => {
    await sendAll(
      anEvent('signup.completed', { entryId: 1, email, completedAt: at(1) }),
      anEvent('signup.emergency', { email, source: 'x', receivedAt: at(1) }),
      aRequest(1, 'privacy-rights-request', { fields: { name: 'unsubscribe' } }),
      anEvent('signup.renamed', { email }),
    );
  });

  test('a wrong, missing or old signature is rejected', async () => {
    const { id, body } = aSignup(1);
    expect(await send({ id, body }, `whsec_${Buffer.alloc(32, 9).toString('base64')}`)).toBe(401);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
    const hourAgo = new Date(Date.now() - 3_600_000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(hourAgo.getTime() / 1000)),
      'webhook-signature': new Webhook(newSecret).sign(id, hourAgo, body),
    };
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(401);
  });

  test('a body of more than 100 kB is rejected', async () => {
    expect(await send(aSignup(1, { more: 'x'.repeat(100_000) }))).toBe(401);
  });
});

test('either secret verifies during a rotation', async () => {
  expect([await send(aSignup(1), oldSecret), await send(aSignup(2), newSecret)]).toEqual([204, 204]);
});

test.each([
  [{ LISTMONK_URL: '' }, 'LISTMONK_URL: is not set'],
  [{ LISTMONK_LIST: '' }, 'LISTMONK_LIST: is not set'],
  [{ LISTMONK_TOKEN_FILE: '/dev/null' }, 'LISTMONK_TOKEN: is not set, and /dev/null is empty'],
])('does not start with %j', (setting, message) => {
  const env = { ...environmentWith({ WEBHOOK_SECRET: newSecret, LISTMONK_TOKEN: listmonk.token }), ...setting };
  const { status, stderr } = spawnSync('sh', [startScript], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { findFreePort } from '@daybook/testing/ports';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { root } from '@daybook/testing/workspaces';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { FakeListmonk } from './fake-listmonk.ts';

const list = 3;
const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [newSecret, oldSecret] = [secretOf(7), secretOf(8)];
const listmonk = new FakeListmonk();
let receiver: ChildProcess;
let url: string;
let logged: string;

const startScript = path.join(import.meta.dirname, 'start.sh');
const folder = makeTemporaryFolder();

/** Returns the container's environment; its secrets are files. */
function makeEnvironment() {
  const secrets = { WEBHOOK_SECRET: `${newSecret},${oldSecret}`, LISTMONK_TOKEN: listmonk.token };
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
  const env = { ...makeEnvironment(), PORT: String(port) };
  receiver = spawn('sh', [startScript], { env, stdio: ['ignore', 'inherit', 'pipe'] });
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
  anEvent('signup.created', { email, signedUpAt: at(minute), resubscribed: false, suspected: false, ...data });
const aRequest = (minute: number, kind = 'unsubscribe', data: object = {}) =>
  anEvent('privacy_request.received', { reference: 'K7QM-3XTA-9VD2', kind, email, receivedAt: at(minute), ...data });

/** Sends an event as the backend does, and returns the status of the response. */
async function send({ id, body }: Event, secret = newSecret, sentAt = new Date()): Promise<number> {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.text();
  return response.status;
}

async function sendAll(...events: readonly Event[]) {
  for (const event of events) expect(await send(event)).toBe(204);
}

const statusOf = (address = email) => listmonk.find(address)?.lists.get(list);
const setStatus = (status: 'confirmed' | 'unsubscribed') => listmonk.find(email)?.lists.set(list, status);
const [confirm, leaveByMail] = [() => setStatus('confirmed'), () => setStatus('unsubscribed')];
async function restart() {
  await stopReceiver();
  await startReceiver();
}

test('docs/webhooks.md shows the receiver, in at most 40 lines', () => {
  const code = readFileSync(path.join(import.meta.dirname, 'receiver.mjs'), 'utf8');
  const [, shown] = /```js\n(.+?)```/s.exec(readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8')) ?? [];
  expect(shown).toBe(code);
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});

const again = { resubscribed: true };
type Step = Event | (() => unknown);
const makeEvents = () => ({ signup: aSignup(1), unsubscribe: aRequest(2), resignup: aSignup(3, again) });

test.each<[what: string, steps: (events: ReturnType<typeof makeEvents>) => Step[], status: string, mails: number]>([
  ['a signup', ({ signup }) => [signup], 'unconfirmed', 1],
  ['a repeated signup', ({ signup }) => [signup, signup], 'unconfirmed', 1],
  ['another signup before the confirmation', ({ signup }) => [signup, aSignup(2)], 'unconfirmed', 2],
  ['others after it', ({ signup }) => [signup, confirm, aSignup(2), aSignup(3, { suspected: true })], 'confirmed', 1],
  ['a repeated signup after the confirmation', ({ signup }) => [signup, confirm, signup], 'confirmed', 1],
  ['the same after a restart', ({ resignup }) => [resignup, confirm, restart, resignup], 'confirmed', 1],
  ['a repeated signup after leaving by mail', ({ signup }) => [signup, leaveByMail, signup], 'unsubscribed', 1],
  ['an unsubscribe', ({ signup, unsubscribe }) => [signup, confirm, unsubscribe], 'unsubscribed', 1],
  ['a California unsubscribe', ({ signup }) => [signup, confirm, aRequest(2, 'ca-unsubscribe')], 'unsubscribed', 1],
  ['an unsubscribe before the confirmation', ({ signup, unsubscribe }) => [signup, unsubscribe], 'unsubscribed', 1],
  ['a signup after an unsubscribe', (events) => Object.values(events), 'unconfirmed', 2],
  ['a signup after a lost unsubscribe', ({ signup, resignup }) => [signup, confirm, resignup], 'unconfirmed', 2],
  ['a repeat after the unsubscribe', ({ signup, unsubscribe }) => [signup, unsubscribe, signup], 'unsubscribed', 1],
  ['the same after a restart', ({ signup, unsubscribe: end }) => [signup, end, restart, signup], 'unsubscribed', 1],
  ['a repeated unsubscribe', (events) => [...Object.values(events), confirm, events.unsubscribe], 'confirmed', 2],
  ['an older signup', ({ signup }) => [signup, aRequest(3), aSignup(2)], 'unsubscribed', 1],
  ['an older unsubscribe', ({ unsubscribe }) => [aSignup(3), unsubscribe], 'unconfirmed', 1],
])('after %s, the subscriber has the right status and mails', async (_what, stepsOf, status, mails) => {
  for (const step of stepsOf(makeEvents())) await (typeof step === 'function' ? step() : sendAll(step));
  expect([statusOf(), listmonk.asked]).toEqual([status, Array(mails).fill('ada@example.com')]);
});

test('a known subscriber is added to the list, and keeps the rest', async () => {
  listmonk.add(email, { name: 'Ada L.', attribs: { city: 'London' }, lists: new Map([[9, 'confirmed']]) });
  await sendAll(aSignup(1));
  expect([statusOf(), listmonk.asked]).toEqual(['unconfirmed', ['ada@example.com']]);
  await sendAll(aRequest(2));
  const { name, attribs, lists } = listmonk.find(email) ?? {};
  expect([name, attribs, lists?.get(9)]).toEqual(['Ada L.', { city: 'London', siteEventAt: at(2) }, 'confirmed']);
});

test('a blocklisted subscriber and an unsubscribe of an unknown email change nothing', async () => {
  listmonk.add(email, { status: 'blocklisted', lists: new Map([[list, 'unsubscribed']]) });
  await sendAll(aSignup(1), aSignup(2, again), aRequest(1, 'unsubscribe', { email: 'grace@example.com' }));
  expect(listmonk.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
});

test.each(["o'hara@example.com", "x'/**/or/**/1=1--@example.com", '`$&;%{x}"\\"@example.com'])(
  '%s is found again',
  async (address) => {
    listmonk.add('other@example.com', { lists: new Map([[list, 'confirmed']]) });
    await sendAll(aSignup(1, { email: address }));
    expect(listmonk.find(address)).toMatchObject({ name: address.split('@')[0], status: 'enabled' });
    await sendAll(aRequest(2, 'unsubscribe', { email: address.toUpperCase() }));
    expect(statusOf(address)).toBe('unsubscribed');
    expect([listmonk.subscribers.length, statusOf('other@example.com')]).toEqual([2, 'confirmed']);
  },
);

test.each([
  ['GET', 403],
  ['GET', 429],
  ['POST /api/subscribers', 500],
  ['PUT', 502],
  ['PATCH', 500],
  ['POST /api/subscribers/1/optin', 500],
])('a signup whose %s fails with %i is retried until it works, and logs no email', async (call, status) => {
  logged = '';
  listmonk.fails = (each) => (each.startsWith(call) ? status : undefined);
  const signup = aSignup(1);
  expect([await send(signup), await send(signup)]).toEqual([503, 503]);
  const message = `${signup.id} Error: listmonk responded with ${status} to a ${call.split(' ')[0]}`;
  await eventually(() => expect(logged).toContain(message));
  expect(logged.toLowerCase()).not.toContain('ada');
  listmonk.fails = () => undefined;
  await sendAll(signup);
  expect([statusOf(), listmonk.asked.length]).toEqual(['unconfirmed', 1]);
});

test.each(['PUT', 'PATCH'])('an unsubscribe that fails at a %s is completed', async (method) => {
  await sendAll(aSignup(1));
  confirm();
  listmonk.fails = (call) => (call.startsWith(method) ? 500 : undefined);
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

test.each([
  ['subscriber.expired', 'expiredAt'],
  ['subscriber.forgotten', 'forgottenAt'],
])('%s deletes the subscriber, but no newer one', async (type, field) => {
  const erasure = anEvent(type, { email, [field]: at(2) });
  await sendAll(aSignup(1), erasure, erasure);
  expect(listmonk.subscribers).toEqual([]);
  // Added by hand before.
  listmonk.add(email, { created_at: '2026-11-21T13:00:00.000000+02:00' });
  await sendAll(erasure);
  expect(listmonk.subscribers).toEqual([]);
  await sendAll(aSignup(3), erasure);
  expect(statusOf()).toBe('unconfirmed');
  listmonk.reset();
  listmonk.add(email, { created_at: '2026-11-21T11:30:00.000000-02:00' });
  await sendAll(erasure);
  expect(listmonk.subscribers).toHaveLength(1);
});

test('events without a use are acknowledged, and invalid requests are rejected', async () => {
  await sendAll(
    anEvent('signup.completed', { entryId: 1, email, completedAt: at(1) }),
    anEvent('signup.emergency', { email, source: 'x', receivedAt: at(1) }),
    aRequest(1, 'privacy-rights-request', { fields: { name: 'unsubscribe' } }),
    anEvent('signup.renamed', { email }),
  );
  const signup = aSignup(1);
  expect(await send(signup, secretOf(9))).toBe(401);
  expect(await send(signup, newSecret, new Date(Date.now() - 3_600_000))).toBe(401);
  expect((await fetch(url, { method: 'POST', body: signup.body })).status).toBe(401);
  expect(await send(aSignup(1, { more: 'x'.repeat(100_000) }))).toBe(401);
  expect(listmonk.calls).toEqual([]);
});

test('either secret verifies during a rotation', async () => {
  expect([await send(aSignup(1), oldSecret), await send(aSignup(2), newSecret)]).toEqual([204, 204]);
});

test.each([
  [{ LISTMONK_URL: '' }, 'LISTMONK_URL: is not set'],
  [{ LISTMONK_TOKEN_FILE: '/dev/null' }, 'LISTMONK_TOKEN: is not set, and /dev/null is empty'],
])('does not start with %j', (setting, message) => {
  const env = { ...makeEnvironment(), ...setting };
  const { status, stderr } = spawnSync('sh', [startScript], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});

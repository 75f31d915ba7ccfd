import { randomUUID } from 'node:crypto';
import { eventOf } from '@daybook/contract/events';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PgBoss } from 'pg-boss';
import { Webhook } from 'standardwebhooks';
import { Metrics } from '../src/metrics.ts';
import { OutboxRepository } from '../src/outbox/index.ts';
import { Receiver, retryPeriod } from '../src/outbox/receiver.ts';
import { anAddress, signUp } from './support/factories.ts';
import { eventsWith, type StoredEvent } from './support/outbox.ts';
import { startBackend } from './support/test-backend.ts';
import { accepts, startReceiver, type TestReceiver } from './support/test-receiver.ts';
import { until } from './support/until.ts';
import { useBackend } from './support/use-backend.ts';

const secrets = ['new', 'old'].map((name) => `whsec_${Buffer.from(name.repeat(8)).toString('base64')}`);

const { database, backend, restart } = useBackend();
let receiver: TestReceiver;
let warned: jest.SpiedFunction<Logger['warn']>;
let failed: jest.SpiedFunction<Logger['error']>;

const delivering = () => ({ WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secrets });
const startDelivering = () => startBackend({ DATABASE_URL: database.url, ...delivering() });

beforeAll(async () => {
  receiver = await startReceiver();
  jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
});

beforeEach(async () => {
  receiver.respondWith(accepts);
  await restart(delivering());
});

afterAll(async () => {
  await receiver?.stop();
  jest.restoreAllMocks();
});

const attemptsOf = (outcome: string) => `daybook_webhook_attempts_total{outcome="${outcome}"} 1`;

/** Signs up and returns the event. */
async function anEvent(by = backend): Promise<StoredEvent> {
  const email = anAddress();
  expect((await signUp(by, { email })).status).toBe(201);
  const [event] = await eventsWith(database, { email });
  if (!event) throw new Error('The signup has no event.');
  return event;
}

const stored = async ({ id }: StoredEvent): Promise<StoredEvent | undefined> =>
  (await database.query<StoredEvent>('SELECT * FROM outbox_event WHERE id = $1', [id]))[0];

/** Polls until the event is in a state, and returns it. */
const once = (event: StoredEvent, what: string, isSo: (event: StoredEvent) => boolean) =>
  until(what, async () => {
    const found = await stored(event);
    return found && isSo(found) && found;
  });
const onceDelivered = (event: StoredEvent) => once(event, 'it was delivered', (found) => found.delivered_at !== null);
const onceFailed = (event: StoredEvent, attempts = 1) =>
  once(event, `attempt ${attempts} failed`, (found) => found.attempts === attempts);
const onceDead = (event: StoredEvent) => once(event, 'it is dead', (found) => found.dead_at !== null);

/** Makes the event's next attempt due now. */
const letTimePass = ({ id }: StoredEvent) =>
  database.query('UPDATE outbox_event SET next_attempt_at = now() WHERE id = $1', [id]);

describe('an event', () => {
  test('is delivered once with its id, in the format of the contract', async () => {
    const event = await anEvent();
    expect(await onceDelivered(event)).toMatchObject({ attempts: 1, last_error: null, dead_at: null });
    const [delivery, ...others] = receiver.of(event.id);
    expect(others).toEqual([]);
    expect(delivery?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
    const body = JSON.parse(delivery?.body ?? '');
    expect(body).toEqual({ type: 'signup.created', timestamp: event.created_at.toISOString(), data: event.data });
    expect(eventOf('signup.created').safeParse(body).success).toBe(true);
  });

  test.each(secrets)('has a signature that verifies with the secret %s', async (secret) => {
    const event = await anEvent();
    await onceDelivered(event);
    const [delivery] = receiver.of(event.id);
    const { body = '', headers = {} } = delivery ?? {};
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'signup.created' });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature found');
    expect(() => new Webhook(`whsec_${'A'.repeat(32)}`).verify(body, headers)).toThrow('No matching signature found');
  });

  test('waits without a WEBHOOK_URL, and is delivered once there is one', async () => {
    await restart({});
    const event = await anEvent();
    expect(await stored(event)).toMatchObject({ attempts: 0, delivered_at: null, dead_at: null });
    await restart(delivering());
    await onceDelivered(event);
    expect(receiver.of(event.id)).toHaveLength(1);
  });

  test('is delivered even if its job is lost', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const event = await anEvent();
    await onceFailed(event);
    await database.query('TRUNCATE pgboss.job');
    receiver.respondWith(accepts);
    await letTimePass(event);
    await onceDelivered(event);
  });

  test('is delivered once the queue can be written again, and each error is logged once', async () => {
    const polled = jest.spyOn(OutboxRepository.prototype, 'due');
    failed.mockClear();
    await database.query('ALTER TABLE pgboss.job_common RENAME TO job_elsewhere');
    const event = await anEvent();
    polled.mockClear();
    await until('three polls fail', async () => polled.mock.calls.length > 3);
    await database.query('ALTER TABLE pgboss.job_elsewhere RENAME TO job_common');
    polled.mockRestore();
    await onceDelivered(event);
    const logged = failed.mock.calls.map(([message]) => String(message));
    expect(logged).toContainEqual(expect.stringContaining('job_common'));
    expect(logged).toEqual([...new Set(logged)]);
  });
});

describe('an event that the receiver does not accept', () => {
  test('is retried with the same id and body', async () => {
    receiver.respondWith((_delivery, nth) => ({ status: nth < 3 ? 500 : 200 }));
    const event = await anEvent();
    const failed = await onceFailed(event);
    expect(failed).toMatchObject({ last_error: 'The receiver responded with 500', delivered_at: null, dead_at: null });
    const delay = Number(failed.next_attempt_at) - Number(failed.first_attempt_at);
    expect(delay).toBeGreaterThanOrEqual(4_000);
    expect(delay).toBeLessThanOrEqual(6_000);
    await letTimePass(event);
    await onceFailed(event, 2);
    await letTimePass(event);
    expect(await onceDelivered(event)).toMatchObject({ attempts: 3, last_error: null });
    expect(new Set(receiver.of(event.id).map(({ body }) => body)).size).toBe(1);
  });

  test.each([
    ['seconds', () => '3600'],
    ['a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
  ])('honors Retry-After in %s', async (_form, header) => {
    receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': header() } }));
    const { next_attempt_at, first_attempt_at } = await onceFailed(await anEvent());
    const delay = Number(next_attempt_at) - Number(first_attempt_at);
    expect(delay).toBeGreaterThan(3_590_000);
    expect(delay).toBeLessThanOrEqual(3_600_000);
  });

  test('is dead after status 410, and is delivered with the same id after a replay', async () => {
    receiver.respondWith(() => ({ status: 410 }));
    const event = await anEvent();
    expect(await onceDead(event)).toMatchObject({ attempts: 1, last_error: expect.stringContaining('410') });
    const outbox = backend.app.get(OutboxRepository);
    receiver.respondWith(accepts);
    expect(await outbox.replay({ id: event.id })).toEqual([event.id]);
    expect(await onceDelivered(event)).toMatchObject({ attempts: 2, dead_at: null, last_error: null });
    expect(receiver.of(event.id)).toHaveLength(2);
    expect(await outbox.replay({ id: event.id })).toEqual([]);
  });

  test('counts in the metrics by the outcome of each attempt', async () => {
    receiver.respondWith((_delivery, nth) => ({ status: [500, 410, 200][nth - 1] ?? 200 }));
    const event = await anEvent();
    await onceFailed(event);
    await letTimePass(event);
    await onceDead(event);
    await backend.app.get(OutboxRepository).replay({ id: event.id });
    await until('each attempt is counted', async () => {
      const text = await backend.app.get(Metrics).registry.metrics();
      const counted = text.match(/^daybook_webhook_attempts_total.*$/gm)?.sort();
      return String(counted) === ['dead', 'delivered', 'failed'].map(attemptsOf).join();
    });
  });

  test('is dead after three days, and is retried for three more days after a replay', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const event = await anEvent();
    await onceFailed(event);
    await database.query(
      "UPDATE outbox_event SET first_attempt_at = now() - $2 * interval '1 ms', next_attempt_at = now() WHERE id = $1",
      [event.id, retryPeriod],
    );
    expect(await onceDead(event)).toMatchObject({ attempts: 2, last_error: 'The receiver responded with 500' });
    await backend.app.get(OutboxRepository).replay({ id: event.id });
    expect(await onceFailed(event, 3)).toMatchObject({ dead_at: null });
  });

  test('fails with a retryable result if the receiver is down or times out', async () => {
    const down = await startReceiver();
    await down.stop();
    const event = {
      id: '1',
      type: 'signup.created',
      createdAt: new Date(),
      data: { entryId: 1, email: '', signedUpAt: '' },
    } as const;
    expect(await new Receiver(down.url, secrets).send(event)).toEqual({
      kind: 'failed',
      reason: 'The receiver could not be reached (ECONNREFUSED)',
      retryAfter: 0,
    });
    const { promise, resolve } = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => promise);
    expect(await new Receiver(receiver.url, secrets, 50).send(event)).toEqual({
      kind: 'failed',
      reason: 'The receiver did not respond in time',
      retryAfter: 0,
    });
    resolve({ status: 204 });
  });

  test('is not sent to the target of a redirect', async () => {
    const elsewhere = await startReceiver();
    receiver.respondWith(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const failed = await onceFailed(await anEvent());
    expect(failed.last_error).toContain('The receiver responded with 307, a redirect');
    expect(elsewhere.deliveries).toEqual([]);
    await elsewhere.stop();
  });

  test('leaves no address in the log if the receiver’s response quotes it', async () => {
    receiver.respondWith(({ body }) => ({ status: 400, headers: { 'x-body': body }, body }));
    const { last_error } = await onceFailed(await anEvent());
    expect(last_error).toBe('The receiver responded with 400');
    await until('it was logged', async () => warned.mock.calls.length > 0);
    expect(JSON.stringify(warned.mock.calls)).not.toContain('@');
  });
});

describe('several backends with one database', () => {
  test('make each delivery attempt once', async () => {
    receiver.respondWith((_delivery, nth) => ({ status: nth === 1 ? 500 : 204 }));
    const others = await Promise.all([startDelivering(), startDelivering()]);
    const events = await Promise.all(Array.from({ length: 100 }, (_, n) => anEvent([backend, ...others][n % 3])));
    for (const event of events) await onceFailed(event);
    await database.query('UPDATE outbox_event SET next_attempt_at = now() WHERE id = ANY ($1)', [
      events.map(({ id }) => id),
    ]);
    for (const event of events) expect((await onceDelivered(event)).attempts).toBe(2);
    for (const { id } of events) expect(receiver.of(id)).toHaveLength(2);
    await Promise.all(others.map((other) => other.stop()));
  });
});

describe('a backend whose database role can only read and change rows', () => {
  test('stores signups, delivers events and maintains the queue', async () => {
    const role = `server_${randomUUID().replaceAll('-', '')}`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    for (const schema of ['public', 'pgboss']) {
      await database.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`);
      await database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`);
    }
    const url = Object.assign(new URL(database.url), { username: role, password: 'secret' }).href;
    await restart({ DATABASE_URL: url, ...delivering() });
    await onceDelivered(await anEvent());
    await backend.app.get(PgBoss).supervise();
    await restart({});
    await database.query(`DROP OWNED BY ${role}`);
    await database.query(`DROP ROLE ${role}`);
  });
});

describe('a backend that shuts down', () => {
  test('waits for the response to a delivery in progress', async () => {
    const responded = Promise.withResolvers<void>();
    receiver.respondWith(async () => {
      await responded.promise;
      return { status: 204 };
    });
    const event = await anEvent();
    // This event, not a retry of an earlier test's.
    await until('the event was sent', async () => receiver.of(event.id).length > 0);
    const stopped = restart({});
    responded.resolve();
    await stopped;
    expect(await stored(event)).toMatchObject({ attempts: 1, delivered_at: expect.any(Date) });
  });
});

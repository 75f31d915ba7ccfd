import { randomUUID } from 'node:crypto';
import { eventOf } from '@daybook/contract/events';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Metrics } from '../src/metrics.ts';
import { type EventStatus, OutboxRepository } from '../src/outbox/index.ts';
import { maxAttempts, Receiver } from '../src/outbox/receiver.ts';
import { anAddress, signUp } from './support/factories.ts';
import { eventsWith, type StoredEvent } from './support/outbox.ts';
import { addressOf, runBackend } from './support/processes.ts';
import { startBackend } from './support/test-backend.ts';
import { accepts, startReceiver, type TestReceiver } from './support/test-receiver.ts';
import { until } from './support/until.ts';
import { useBackend } from './support/use-backend.ts';

const secrets = ['new', 'old'].map((name) => `whsec_${Buffer.from(name.repeat(8)).toString('base64')}`);

const { database, backend, restart } = useBackend();
let receiver: TestReceiver;
let warned: jest.SpiedFunction<Logger['warn']>;

const delivering = () => ({ WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secrets });
const startDelivering = () => startBackend({ DATABASE_URL: database.url, ...delivering() });

beforeAll(async () => {
  receiver = await startReceiver();
  jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  jest.spyOn(Logger.prototype, 'error').mockReturnValue();
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
const onceDelivered = (event: StoredEvent) => once(event, 'it was delivered', (found) => found.status === 'delivered');
const onceFailed = (event: StoredEvent, attempts = 1) =>
  once(event, `attempt ${attempts} failed`, (found) => found.attempts === attempts);
const onceDead = (event: StoredEvent) => once(event, 'it is dead', (found) => found.status === 'dead');

/** Makes the event's next attempt due now. */
const letTimePass = ({ id }: StoredEvent) =>
  database.query('UPDATE outbox_event SET next_attempt_at = now() WHERE id = $1', [id]);

describe('an event', () => {
  test('is delivered once with its id, in the format of the contract', async () => {
    const event = await anEvent();
    expect(await onceDelivered(event)).toMatchObject({ attempts: 1, last_error: null });
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
    expect(await stored(event)).toMatchObject({ attempts: 0, status: 'pending' });
    await restart(delivering());
    await onceDelivered(event);
    expect(receiver.of(event.id)).toHaveLength(1);
  });

  test('is delivered once the outbox can be written again, and its failure is logged once', async () => {
    const polled = jest.spyOn(OutboxRepository.prototype, 'claim');
    warned.mockClear();
    await database.query('ALTER TABLE outbox_event RENAME COLUMN attempts TO attempts_away');
    polled.mockClear();
    await until('three polls fail', async () => polled.mock.calls.length > 3);
    await database.query('ALTER TABLE outbox_event RENAME COLUMN attempts_away TO attempts');
    polled.mockRestore();
    await onceDelivered(await anEvent());
    const logged = warned.mock.calls.map(([message]) => String(message));
    expect(logged).toEqual([expect.stringContaining('attempts')]);
  });

  test('is attempted without holding a connection to the database', async () => {
    const [asked, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.respondWith(async () => {
      asked.resolve();
      await responded.promise;
      return { status: 204 };
    });
    const event = await anEvent();
    await asked.promise;
    const inTransaction = `SELECT query FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND application_name = 'daybook-backend'`;
    await until('no connection is in a transaction', async () => (await database.query(inTransaction)).length === 0);
    responded.resolve();
    await onceDelivered(event);
  });
});

describe('an event that the receiver does not accept', () => {
  test('is retried with the same id and body', async () => {
    receiver.respondWith((_delivery, nth) => ({ status: nth < 3 ? 500 : 200 }));
    const event = await anEvent();
    const failed = await onceFailed(event);
    expect(failed).toMatchObject({ last_error: 'The receiver responded with 500', status: 'pending' });
    expect(Number(failed.next_attempt_at) - Date.now()).toBeLessThanOrEqual(5_000);
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
    const { next_attempt_at } = await onceFailed(await anEvent());
    const delay = Number(next_attempt_at) - Date.now();
    expect(delay).toBeGreaterThan(3_500_000);
    expect(delay).toBeLessThanOrEqual(3_600_000);
  });

  test('is dead after status 410, and is delivered with the same id after a replay', async () => {
    receiver.respondWith(() => ({ status: 410 }));
    const event = await anEvent();
    expect(await onceDead(event)).toMatchObject({ attempts: 1, last_error: expect.stringContaining('410') });
    const outbox = backend.app.get(OutboxRepository);
    receiver.respondWith(accepts);
    expect(await outbox.replay({ id: event.id })).toEqual([event.id]);
    expect(await onceDelivered(event)).toMatchObject({ attempts: 1, last_error: null });
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
    await database.query('UPDATE outbox_event SET attempts = $2, next_attempt_at = now() WHERE id = $1', [
      event.id,
      maxAttempts - 1,
    ]);
    expect(await onceDead(event)).toMatchObject({
      attempts: maxAttempts,
      last_error: 'The receiver responded with 500',
    });
    await backend.app.get(OutboxRepository).replay({ id: event.id });
    expect(await onceFailed(event)).toMatchObject({ status: 'pending', ended_at: null });
  });

  test('fails with a retryable result if the receiver is down or times out', async () => {
    const down = await startReceiver();
    await down.stop();
    const event = {
      id: '1',
      type: 'signup.created',
      createdAt: new Date(),
      data: { entryId: 1, email: '', signedUpAt: '' },
      attempts: 0,
    } as const;
    expect(await new Receiver(down.url, secrets).attempt(event)).toEqual({
      status: 'pending',
      reason: 'The receiver could not be reached (ECONNREFUSED)',
      delay: expect.any(Number),
    });
    const { promise, resolve } = Promise.withResolvers<{ status: number }>();
    receiver.respondWith(() => promise);
    expect(await new Receiver(receiver.url, secrets, 50).attempt(event)).toEqual({
      status: 'pending',
      reason: 'The receiver did not respond in time',
      delay: expect.any(Number),
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

describe('a backend that is killed', () => {
  test('loses no event: another one attempts it once the lease has ended', async () => {
    const responded = Promise.withResolvers<void>();
    receiver.respondWith(async (_delivery, nth) => {
      if (nth === 1) await responded.promise;
      return { status: 204 };
    });
    const killed = runBackend('main', {
      DATABASE_URL: database.url,
      COOKIE_SECRET: 'x'.repeat(32),
      PORT: '0',
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: secrets.join(),
      LOG_LEVEL: 'info',
    });
    await addressOf(killed.child);
    await restart({});
    const event = await anEvent();
    await until('the event was sent', async () => receiver.of(event.id).length > 0);
    killed.child.kill('SIGKILL');
    await killed.ended;
    responded.resolve();
    const found = await stored(event);
    expect(found).toMatchObject({ attempts: 0, status: 'pending' });
    expect(Number(found?.next_attempt_at) - Date.now()).toBeGreaterThan(15_000);

    await restart(delivering());
    await onceDelivered(await anEvent());
    expect(receiver.of(event.id)).toHaveLength(1);
    await letTimePass(event);
    await onceDelivered(event);
    expect(receiver.of(event.id)).toHaveLength(2);
  });
});

describe('the events of an address', () => {
  /** Stores events of a new address, oldest first, due now. */
  const eventsOf = async (count: number, email = anAddress()): Promise<StoredEvent[]> =>
    database.query<StoredEvent>(
      `INSERT INTO outbox_event (type, data) SELECT 'signup.emergency', jsonb_build_object('email',
         CASE WHEN n % 2 = 0 THEN $1::text ELSE upper($1::text) END, 'n', n) FROM generate_series(1, $2::integer) n RETURNING *`,
      [email, count],
    );
  const sentOf = (events: readonly StoredEvent[]) =>
    receiver.deliveries.map(({ id }) => events.findIndex((event) => event.id === id)).filter((place) => place >= 0);
  const inOrder = (places: readonly number[]) => places.every((place, n) => n === 0 || place >= (places[n - 1] ?? 0));

  test('arrive in their order, whatever the spelling, with two backends and a receiver that fails at times', async () => {
    let calls = 0;
    receiver.respondWith(() => ({ status: ++calls % 7 === 0 ? 500 : 204 }));
    const other = await startDelivering();
    const addresses = await Promise.all(Array.from({ length: 8 }, () => eventsOf(12)));
    await until('all are delivered', async () => {
      const [{ pending } = { pending: 0 }] = await database.query<{ pending: number }>(
        "SELECT count(*)::integer AS pending FROM outbox_event WHERE status <> 'delivered'",
      );
      await database.query(
        'UPDATE outbox_event SET next_attempt_at = now() WHERE attempts > 0 AND last_error IS NOT NULL AND next_attempt_at > now()',
      );
      return pending === 0;
    });
    await other.stop();
    for (const events of addresses) {
      expect(inOrder(sentOf(events))).toBe(true);
      expect(new Set(sentOf(events)).size).toBe(12);
    }
  });

  test('wait for one that fails, and then follow at once; those of other addresses do not', async () => {
    receiver.respondWith(({ body }) => ({ status: JSON.parse(body).data.n === 1 ? 500 : 204 }));
    const [first, ...later] = await eventsOf(3);
    if (!first) throw new Error('There is no event.');
    const failure = await onceFailed(first);
    await onceDelivered(await anEvent());
    for (const event of later) {
      await once(
        event,
        'it waits',
        ({ next_attempt_at }) => Number(next_attempt_at) >= Number(failure.next_attempt_at),
      );
      expect(await stored(event)).toMatchObject({ attempts: 0, status: 'pending' });
    }
    receiver.respondWith(accepts);
    await letTimePass(first);
    for (const event of [first, ...later]) await onceDelivered(event);
    const sent = sentOf([first, ...later]);
    expect(inOrder(sent)).toBe(true);
    expect(sent.slice(-3)).toEqual([0, 1, 2]);
  });

  test('follow one that is dead', async () => {
    receiver.respondWith(({ body }) => ({ status: JSON.parse(body).data.n === 1 ? 410 : 204 }));
    const [first, second] = (await eventsOf(2)) as [StoredEvent, StoredEvent];
    await onceDelivered(second);
    expect(await stored(first)).toMatchObject({ status: 'dead', ended_at: expect.any(Date) });
  });

  test('that wait for a failing one are not read again at each poll', async () => {
    await restart({});
    const email = anAddress();
    await eventsOf(30, email);
    const outbox = backend.app.get(OutboxRepository);
    const [head, ...others] = await outbox.claim();
    if (!head) throw new Error('No event was claimed.');
    expect([head.data.n, others]).toEqual([1, []]);
    expect(await outbox.claim()).toEqual([]);
    const [{ due } = { due: 0 }] = await database.query<{ due: number }>(
      "SELECT count(*)::integer AS due FROM outbox_event WHERE next_attempt_at <= now() AND status = 'pending'",
    );
    expect(due).toBe(0);
    await database.query("DELETE FROM outbox_event WHERE data ? 'n'");
  });
});

describe('two workers', () => {
  test('claim different events, at most one of an address, for any backlog', async () => {
    await restart({});
    const outbox = backend.app.get(OutboxRepository);
    const backlog = fc.array(fc.nat(3), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        backlog,
        fc.array(fc.constantFrom<EventStatus>('delivered', 'dead'), { minLength: 30 }),
        async (of, outcomes) => {
          await database.query('DELETE FROM outbox_event');
          for (const address of of)
            await database.query(
              "INSERT INTO outbox_event (type, data) VALUES ('x', jsonb_build_object('email', $1::text))",
              [`${address}@example.com`],
            );
          const seen: string[] = [];
          for (let rest = of.length; rest > 0; ) {
            const claims = (await Promise.all([outbox.claim(), outbox.claim()])).flat();
            expect(new Set(claims.map(({ data }) => data.email)).size).toBe(claims.length);
            for (const event of claims) {
              await outbox.record(event, { status: outcomes[seen.length] ?? 'delivered' });
              seen.push(event.id);
            }
            rest -= claims.length;
          }
          for (const address of new Set(of)) {
            const ids = await database.query<{ id: string }>(
              "SELECT id FROM outbox_event WHERE data->>'email' = $1 ORDER BY id",
              [`${address}@example.com`],
            );
            expect(seen.filter((id) => ids.some((row) => row.id === id))).toEqual(ids.map(({ id }) => id));
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('a backend whose database role can only read and change rows', () => {
  test('stores signups and delivers events', async () => {
    const role = `server_${randomUUID().replaceAll('-', '')}`;
    await database.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await database.query(`GRANT USAGE ON SCHEMA public TO ${role}`);
    await database.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'secret' }).href;
    await restart({ DATABASE_URL: url, ...delivering() });
    await onceDelivered(await anEvent());
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
    expect(await stored(event)).toMatchObject({ attempts: 1, status: 'delivered', ended_at: expect.any(Date) });
  });
});

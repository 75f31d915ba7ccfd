import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import * as fc from 'fast-check';
import { DataSource } from 'typeorm';
import { ConnectionPool, databaseOptions } from '../src/database/index.ts';
import { Metrics } from '../src/metrics/index.ts';
import { DeliveryWorker } from '../src/outbox/delivery.worker.ts';
import { OutboxEvent, OutboxRepository } from '../src/outbox/index.ts';
import { anEmail } from './support/factories.ts';
import { TestBackend } from './support/test-backend.ts';
import type { StoredEvent } from './support/test-database.ts';
import { accepts, TestReceiver } from './support/test-receiver.ts';
import { useDatabase } from './support/use-backend.ts';

// How a response ends an attempt is tested in src/outbox/receiver.spec.ts. Workers poll only when a test says so.

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
let dataSource: DataSource;
let outbox: OutboxRepository;
let receiver: TestReceiver;
afterAll(async () => {
  await receiver?.stop();
  await dataSource?.destroy();
});
// Dropped after the connections above are closed.
const database = useDatabase();
let warned: jest.SpiedFunction<Logger['warn']>;

class PolledWorker extends DeliveryWorker {
  /** Claims due events, attempts them, and stores the results. */
  readonly poll = () => this.run();
}
let worker: PolledWorker;
let metrics: Metrics;

/** Returns the number of attempts by outcome. */
async function attemptCounts() {
  const { values } = await metrics.attempts.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

beforeAll(async () => {
  const options = databaseOptions({ DATABASE_URL: database.url });
  dataSource = await new DataSource({ ...options, entities: [OutboxEvent] }).initialize();
  outbox = new OutboxRepository(dataSource);
  receiver = await new TestReceiver().start();
});

beforeEach(async () => {
  jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  receiver.respond = accepts;
  metrics = new Metrics(new ConnectionPool(), { VERSION: '1', REVISION: '1' });
  worker = new PolledWorker(outbox, metrics, { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: [secret] });
  await database.clear();
});

afterEach(() => void jest.restoreAllMocks());

/** Stores events of an email, in two spellings, oldest first, due now. */
const storeEvents = (count: number, email = anEmail()): Promise<StoredEvent[]> =>
  database.query<StoredEvent>(
    `INSERT INTO outbox_event (type, data) SELECT 'signup.emergency', jsonb_build_object('n', n, 'email',
       CASE WHEN n % 2 = 0 THEN $1::text ELSE upper($1::text) END) FROM generate_series(1, $2::integer) n RETURNING *`,
    [email, count],
  );
const storeEvent = async () => (await storeEvents(1))[0] as StoredEvent;
const stored = async ({ id }: StoredEvent) => (await database.eventsWith()).find((event) => event.id === id);

/** Makes the next attempts due now. */
const letTimePass = () => database.query("UPDATE outbox_event SET next_attempt_at = now() WHERE status = 'pending'");

describe('an event', () => {
  test('is repeated unchanged until it is accepted, and each attempt is counted', async () => {
    receiver.respond = (_delivery, nth) => ({ status: nth < 3 ? 500 : 200 });
    const event = await storeEvent();
    await worker.poll();
    const failed = await stored(event);
    expect(failed).toMatchObject({ attempts: 1, status: 'pending', last_error: 'The receiver responded with 500' });
    expect(Number(failed?.next_attempt_at)).toBeGreaterThan(Number(failed?.created_at));
    for (const _ of [2, 3, 4]) {
      await letTimePass();
      await worker.poll();
    }
    expect(await stored(event)).toMatchObject({ attempts: 3, status: 'delivered', last_error: null });
    const bodies = receiver.of(event.id).map(({ body }) => body);
    expect([bodies.length, new Set(bodies).size]).toEqual([3, 1]);
    expect(await attemptCounts()).toEqual({ failed: 2, delivered: 1 });
  });

  test('is dead after status 410, and is delivered with the same id after a replay', async () => {
    receiver.respond = () => ({ status: 410 });
    const event = await storeEvent();
    await worker.poll();
    expect(await stored(event)).toMatchObject({ attempts: 1, status: 'dead', ended_at: expect.any(Date) });
    expect(await attemptCounts()).toEqual({ dead: 1 });
    receiver.respond = accepts;
    expect(await outbox.replay({ id: event.id })).toEqual([event.id]);
    expect(await stored(event)).toMatchObject({ attempts: 0, status: 'pending', ended_at: null });
    await worker.poll();
    expect(await stored(event)).toMatchObject({ attempts: 1, status: 'delivered', last_error: null });
    expect(receiver.of(event.id)).toHaveLength(2);
  });

  test('is delivered once the database works again, and the failure is logged once', async () => {
    const event = await storeEvent();
    await database.query('ALTER TABLE outbox_event RENAME COLUMN attempts TO attempts_away');
    for (const _ of [1, 2, 3]) await worker.poll();
    await database.query('ALTER TABLE outbox_event RENAME COLUMN attempts_away TO attempts');
    await worker.poll();
    expect(await stored(event)).toMatchObject({ status: 'delivered' });
    expect(warned.mock.calls).toEqual([[expect.stringContaining('attempts')]]);
  });

  test('of a worker that was killed is attempted again once the lease has ended', async () => {
    const event = await storeEvent();
    expect(await outbox.claim()).toMatchObject([{ id: event.id }]);
    await worker.poll();
    const leased = await stored(event);
    expect(leased).toMatchObject({ attempts: 0, status: 'pending' });
    // 30 s from the claim on: not less than an attempt takes, and no longer than an event may wait for a killed worker.
    expect((Number(leased?.next_attempt_at) - Date.now()) / 1000).toBeCloseTo(27, -1);
    await letTimePass();
    await worker.poll();
    expect(await stored(event)).toMatchObject({ attempts: 1, status: 'delivered' });
  });
});

describe('the events of an email', () => {
  test('wait for one that fails; those of other emails do not', async () => {
    const [first] = await storeEvents(30);
    receiver.respond = ({ id }) => ({ status: id === first?.id ? 500 : 204 });
    const other = await storeEvent();
    for (const _ of [1, 2, 3, 4]) await worker.poll();
    expect(await stored(other)).toMatchObject({ status: 'delivered' });
    const [failure, ...waiting] = await database.eventsWith();
    expect(failure).toMatchObject({ id: first?.id, attempts: 1, status: 'pending' });
    expect(waiting.filter(({ attempts }) => attempts === 0)).toHaveLength(29);
    for (const { id, next_attempt_at } of waiting)
      if (id !== other.id) expect(Number(next_attempt_at)).toBeGreaterThanOrEqual(Number(failure?.next_attempt_at));
  });

  test('are attempted one at a time and in their order, for any backlog and results', async () => {
    const status = fc.constantFrom('delivered', 'dead', 'pending');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { minLength: 1, maxLength: 30 }),
        fc.array(status, { maxLength: 40 }),
        async (backlog, results) => {
          await database.clear();
          for (const [n, mailbox] of backlog.entries()) {
            const email = `${n % 2 === 0 ? 'reader' : 'READER'}${mailbox}@example.com`;
            const data = JSON.stringify({ email, of: mailbox });
            await database.query("INSERT INTO outbox_event (type, data) VALUES ('x', $1)", [data]);
          }
          const ended: { readonly id: string; readonly of: unknown }[] = [];
          for (let attempt = 0; ended.length < backlog.length; ) {
            const claims = (await Promise.all([outbox.claim(), outbox.claim()])).flat();
            expect(new Set(claims.map(({ data }) => data.of)).size).toBe(claims.length);
            for (const event of claims) {
              const result = results[attempt++] ?? 'delivered';
              await outbox.record(event, { status: result });
              if (result !== 'pending') ended.push({ id: event.id, of: event.data.of });
            }
            if (claims.length === 0) await letTimePass();
          }
          for (const mailbox of new Set(backlog)) {
            const ids = ended.filter(({ of }) => of === mailbox).map(({ id }) => id);
            expect(ids).toEqual(ids.toSorted());
            expect(ids).toHaveLength(backlog.filter((each) => each === mailbox).length);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

test('a backend delivers the event of a signup, and finishes a delivery when it stops', async () => {
  const settings = { DATABASE_URL: database.url, WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: [secret] };
  const backend = await new TestBackend().start(settings);
  // From 0, so that the first of each is an increase.
  const exposed = await backend.app.get(Metrics).register.metrics();
  expect(exposed).toContain('daybook_webhook_attempts_total{outcome="dead"} 0');
  const [requested, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.respond = async () => {
    requested.resolve();
    await responded.promise;
    return { status: 204 };
  };
  const { email } = await backend.anEntry();
  await requested.promise;
  const stopped = backend.stop();
  responded.resolve();
  await stopped;
  const [event] = await database.eventsWith({ email });
  expect(event).toMatchObject({ attempts: 1, status: 'delivered', ended_at: expect.any(Date) });
  const bodies = receiver.of(event?.id ?? '').map(({ body }) => JSON.parse(body));
  expect(bodies).toEqual([{ type: 'signup.created', timestamp: event?.created_at.toISOString(), data: event?.data }]);
});

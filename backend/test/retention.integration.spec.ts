import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivacyRequestResponse } from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Erasure, erase } from '../src/operator/forget-subscriber.ts';
import { type EventStatus, OutboxRepository } from '../src/outbox/index.ts';
import { retentionBatchSize, retentionPeriods } from '../src/retention/removals.ts';
import { RetentionService, retentionLock } from '../src/retention/retention.service.ts';
import { anAddress, privacyRequest, signUp } from './support/factories.ts';
import type { StoredEvent } from './support/outbox.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend, restart } = useBackend({ PRIVACY_REQUESTS: 'record' });

const now = new Date('2031-07-15T12:00:00Z');
const stated = { CLIENT_DETAILS_KEPT: 90, UNFINISHED_ENTRIES_KEPT: 12, PRIVACY_REQUESTS_KEPT: 24 };
const periods = retentionPeriods(stated);
const nothing = { clientInfo: 0, unfinishedEntries: 0, emergencyNotices: 0, privacyRequests: 0, events: 0 };
const onTheLastDay = {
  clientInfo: '2031-04-16',
  unfinishedEntries: '2030-07-15',
  emergencyNotices: '2031-04-16',
  privacyRequests: '2029-07-15',
  events: '2031-04-16',
};
/** Times on a day: a minute before the period ends, and a minute after. */
const retained = (day: string) => `${day}T12:01:00Z`;
const due = (day: string) => `${day}T11:59:00Z`;

afterEach(() => void jest.restoreAllMocks());

beforeEach(async () => {
  await database.query('TRUNCATE subscriber, waitlist_entry, emergency_notice, privacy_request, outbox_event');
});

async function removeDue(at = now, retention = backend.app.get(RetentionService)) {
  const failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  const counts = await retention.removeDue(at);
  expect(failed.mock.calls).toEqual([]);
  return counts;
}
/** Removes due rows with other retention settings. */
const removeDueBy = (changed: Partial<typeof stated>) =>
  removeDue(now, new RetentionService(backend.app.get(DataSource), { ...stated, ...changed }));

/** Creates an entry with all client details. */
async function anEntry(createdAt: string, { email = anAddress(), completed = true, noticed = false } = {}) {
  const { id } = (await signUp(backend, { email })).body.entry;
  await database.query(
    `UPDATE waitlist_entry SET created_at = $2, completed_at = $3, user_agent = 'Browser/1', language = 'en-US',
       network_address = '10.1.2.0/24' WHERE id = $1`,
    [id, createdAt, completed ? createdAt : null],
  );
  if (noticed) {
    await database.query(
      `UPDATE waitlist_entry SET notice_source = 'x', notice_timestamp = now(), notice_received_at = now()
       WHERE id = $1`,
      [id],
    );
  }
  return { id, email };
}

/** Makes a privacy request and returns its reference number. */
async function aPrivacyRequest(): Promise<string> {
  const { body } = await backend.request<PrivacyRequestResponse>('POST', '/api/privacy-requests', {
    json: privacyRequest(),
  });
  return body.reference;
}

const clientInfoOf = async (id: number) =>
  (await database.query('SELECT user_agent, language, network_address FROM waitlist_entry WHERE id = $1', [id]))[0];
const idsOf = async (table: string) =>
  (await database.query<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => Number(id)).sort((a, b) => a - b);
const expiredEvents = () => database.query<StoredEvent>("SELECT * FROM outbox_event WHERE type = 'subscriber.expired'");
const addresses = async () =>
  (await database.query<{ email: string }>('SELECT email FROM subscriber ORDER BY email')).map(({ email }) => email);

describe('retention periods of the Privacy Policy', () => {
  test('client details are cleared after 90 days, and the entry remains', async () => {
    const old = await anEntry(due(onTheLastDay.clientInfo));
    const young = await anEntry(retained(onTheLastDay.clientInfo));
    expect(await removeDue()).toEqual({ ...nothing, clientInfo: 1 });
    expect(await clientInfoOf(old.id)).toEqual({ user_agent: null, language: null, network_address: null });
    expect(await clientInfoOf(young.id)).toEqual({
      user_agent: 'Browser/1',
      language: 'en-US',
      network_address: '10.1.2.0/24',
    });
  });

  test('an unfinished registration and its address are removed after 12 months', async () => {
    const old = await anEntry(due(onTheLastDay.unfinishedEntries), { completed: false });
    const young = await anEntry(retained(onTheLastDay.unfinishedEntries), { completed: false });
    const completed = await anEntry(due(onTheLastDay.unfinishedEntries));
    const noticed = await anEntry(due(onTheLastDay.unfinishedEntries), { completed: false, noticed: true });
    expect(await removeDue()).toMatchObject({ unfinishedEntries: 1 });
    const remaining = [young, completed, noticed];
    expect(await idsOf('waitlist_entry')).toEqual(remaining.map(({ id }) => id).sort((a, b) => a - b));
    expect(await addresses()).toEqual(remaining.map(({ email }) => email).sort());
    expect(await addresses()).not.toContain(old.email);
  });

  test('an address is retained as long as it has another registration', async () => {
    const unfinished = await anEntry(due(onTheLastDay.unfinishedEntries), { completed: false });
    const completed = await anEntry(due(onTheLastDay.unfinishedEntries), { email: unfinished.email });
    await removeDue();
    expect(await idsOf('waitlist_entry')).toEqual([completed.id]);
    expect(await addresses()).toEqual([unfinished.email]);
  });

  test('the mail system is notified to delete an address when its last registration is removed', async () => {
    const old = '2020-01-01';
    const gone = await anEntry(old, { completed: false });
    await anEntry(old, { completed: false, email: gone.email });
    const staying = await anEntry(old, { completed: false });
    await anEntry(old, { email: staying.email });
    expect(await removeDue(new Date())).toMatchObject({ unfinishedEntries: 3 });
    const events = await expiredEvents();
    expect(events).toMatchObject([{ data: { email: gone.email } }]);
    expect(eventKinds['subscriber.expired'].data.safeParse(events[0]?.data).success).toBe(true);

    const outbox = backend.app.get(OutboxRepository);
    // The older events of the address come first.
    for (let claimed = await outbox.claim(); claimed.length > 0; claimed = await outbox.claim())
      for (const event of claimed) await outbox.record(event, { status: 'delivered' });
    expect(Object.keys((await expiredEvents())[0]?.data ?? {})).toEqual(['expiredAt']);
  });

  test('an emergency notice is removed after 90 days', async () => {
    const notice = (receivedAt: string) =>
      database.query(
        "INSERT INTO emergency_notice (email, source, client_timestamp, received_at) VALUES ($1, 'x', now(), $2)",
        [anAddress(), receivedAt],
      );
    await notice(due(onTheLastDay.emergencyNotices));
    await notice(retained(onTheLastDay.emergencyNotices));
    expect(await removeDue()).toEqual({ ...nothing, emergencyNotices: 1 });
    expect(await database.query('SELECT received_at FROM emergency_notice')).toEqual([
      { received_at: new Date(retained(onTheLastDay.emergencyNotices)) },
    ]);
  });

  test.each([
    ['it was done', '2020-02-01', 'done'],
    ['the due date, if it is still open', 'due', null],
    ['the due date, if it was done before', 'due', '2020-02-01'],
  ])('a privacy request is removed 24 months after %s', async (_when, dueAt, doneAt) => {
    const requests = await Promise.all([aPrivacyRequest(), aPrivacyRequest()]);
    const times = [due(onTheLastDay.privacyRequests), retained(onTheLastDay.privacyRequests)];
    for (const [index, time] of times.entries()) {
      await database.query(
        "UPDATE privacy_request SET received_at = '2020-01-01', due_at = $2, done_at = $3 WHERE reference = $1",
        [requests[index], dueAt === 'due' ? time : dueAt, doneAt === 'done' ? time : doneAt],
      );
    }
    expect(await removeDue()).toMatchObject({ privacyRequests: 1 });
    expect(await database.query('SELECT reference FROM privacy_request')).toEqual([{ reference: requests[1] }]);
  });

  test('settings shorten the retention of client details and unfinished entries, and extend that of privacy requests', async () => {
    await anEntry('2031-07-01T00:00:00Z', { completed: true });
    await anEntry('2031-05-01T00:00:00Z', { completed: false });
    const counts = { clientInfo: 0, unfinishedEntries: 0 };
    expect(await removeDueBy({})).toMatchObject(counts);
    const shorter = { CLIENT_DETAILS_KEPT: 7, UNFINISHED_ENTRIES_KEPT: 3 };
    expect(await removeDueBy(shorter)).toMatchObject({ ...counts, clientInfo: 2 });
    expect(await removeDueBy({ UNFINISHED_ENTRIES_KEPT: 2 })).toMatchObject({ ...counts, unfinishedEntries: 1 });
    await aPrivacyRequest();
    await database.query("UPDATE privacy_request SET received_at = '2028-01-01', due_at = '2028-01-03'");
    expect(await removeDueBy({ PRIVACY_REQUESTS_KEPT: 48 })).toMatchObject({ privacyRequests: 0 });
    expect(await removeDue()).toMatchObject({ privacyRequests: 1 });
  });

  test('an event is removed after 90 days if it is delivered, dead or its subject is gone; other pending ones and undelivered erasures remain', async () => {
    const { id } = await anEntry(retained('2031-01-01'));
    const request = await aPrivacyRequest();
    await database.query("UPDATE privacy_request SET due_at = '2031-01-01'");
    await database.query('TRUNCATE outbox_event');
    const event = (what: string, time: string, { entryId, reference, type = 'x', status = 'pending' }: EventState) =>
      database.query(
        `INSERT INTO outbox_event (id, type, data, last_error, status) VALUES (
           uuidv7($2::timestamptz - clock_timestamp()), $6, jsonb_build_object('entryId', $3::bigint, 'reference', $4::text), $1, $5)`,
        [what, time, entryId, reference, status, type],
      );
    type EventState = { entryId?: number; reference?: string; type?: string; status?: EventStatus };
    await event('delivered long ago', due(onTheLastDay.events), { entryId: id, status: 'delivered' });
    await event('dead for long', due(onTheLastDay.events), { entryId: id, status: 'dead' });
    await event('of an entry that is gone', due(onTheLastDay.events), { entryId: 1 });
    await event('of a notice that is gone', due(onTheLastDay.events), {});
    await event('of a request that is gone', due(onTheLastDay.events), { reference: 'K7QM-3XTA-9VD2' });
    await event('of a request', due(onTheLastDay.events), { reference: request });
    await event('waits', due(onTheLastDay.events), { entryId: id });
    await event('of an erasure that waits', due(onTheLastDay.events), { type: 'subscriber.forgotten' });
    await event('of an erasure that is dead', due(onTheLastDay.events), {
      type: 'subscriber.forgotten',
      status: 'dead',
    });
    await event('of a delivered erasure', due(onTheLastDay.events), {
      type: 'subscriber.forgotten',
      status: 'delivered',
    });
    await event('delivered lately', retained(onTheLastDay.events), { entryId: id, status: 'delivered' });
    await event('of a late notice', retained(onTheLastDay.events), {});
    expect(await removeDue()).toMatchObject({ events: 6 });
    expect(await database.query('SELECT last_error AS what FROM outbox_event ORDER BY 1')).toEqual(
      [
        'delivered lately',
        'of a late notice',
        'of a request',
        'of an erasure that is dead',
        'of an erasure that waits',
        'waits',
      ].map((what) => ({ what })),
    );
  });

  test.each(['privacy-policy', 'california-privacy-notice'])('%s states the periods', (text) => {
    const policy = readFileSync(join(import.meta.dirname, `../../mf-legal/content/${text}.md`), 'utf8');
    const [, section = ''] = policy.split('## How long we keep it');
    for (const [what, period] of [
      [/never completed.*/, periods.unfinishedEntries],
      [/Browser details.*/, periods.clientInfo],
      [/emergency notice.*/i, periods.emergencyNotices],
      [/email system.*/, periods.events],
      [/reference number.*/, periods.privacyRequests],
    ] as const) {
      expect(what.exec(section)?.[0]).toContain(period);
    }
  });
});

describe('the removal of due rows', () => {
  test('continues over several batches until nothing is due', async () => {
    const count = 2 * retentionBatchSize + 1;
    await database.query(
      `INSERT INTO emergency_notice (email, source, client_timestamp, received_at)
       SELECT 'reader' || n || '@example.com', 'x', now(), '2020-01-01' FROM generate_series(1, $1::int) n`,
      [count],
    );
    expect(await removeDue()).toMatchObject({ emergencyNotices: count });
    expect(await idsOf('emergency_notice')).toEqual([]);
  });

  test('runs on several replicas at once, and while the same addresses sign up again', async () => {
    // By this time, the old entries are due and the new ones are not.
    const then = new Date('2020-07-15');
    const unfinished: { email: string }[] = [];
    for (let n = 0; n < 20; n++) {
      unfinished.push(await anEntry('2019-07-14', { completed: false }));
    }
    const [signups, ...counts] = await Promise.all([
      Promise.all(unfinished.map(({ email }) => signUp(backend, { email }))),
      removeDue(then),
      removeDue(then),
    ]);
    expect(signups.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(counts.reduce((sum, { unfinishedEntries }) => sum + unfinishedEntries, 0)).toBe(20);
    const made = signups.map(({ body }) => body.entry.id).sort((a, b) => a - b);
    expect(await idsOf('waitlist_entry')).toEqual(made);
    expect(await addresses()).toEqual(unfinished.map(({ email }) => email).sort());
  });

  test('does nothing while another replica runs it, and releases its lock at the end', async () => {
    await anEntry(due(onTheLastDay.unfinishedEntries), { completed: false });
    const otherReplica = await database.lock('SELECT pg_advisory_lock($1)', [retentionLock]);
    expect(await removeDue()).toEqual(nothing);
    await otherReplica.end();
    expect(await removeDue()).toMatchObject({ unfinishedEntries: 1 });
    expect(
      await database.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1", [retentionLock]),
    ).toEqual([]);
  });

  test('does not deadlock with forgetting the same address', async () => {
    const [first, second] = [
      await anEntry('2020-01-01', { completed: false }),
      await anEntry('2020-01-01', { completed: false }),
    ];
    // The removal selects both addresses, and waits for the lock of the first one.
    const holder = await database.lock('SELECT FROM subscriber WHERE email = $1 FOR UPDATE', [first.email]);
    const removal = removeDue();
    let forgetting: Promise<Erasure> | undefined;
    try {
      await database.waiting(1);
      forgetting = erase(backend.app.get(DataSource), second.email, true);
      // Forgetting ends, or waits for a lock too.
      await Promise.race([forgetting, database.waiting(2)]);
    } finally {
      await holder.end();
    }
    const ends = await Promise.allSettled([removal, forgetting]);
    expect(ends).toMatchObject([{ value: { unfinishedEntries: 1 } }, { value: { entries: 1 } }]);
    expect(await addresses()).toEqual([]);
  });

  test('continues with the other kinds if one fails', async () => {
    await anEntry(due(onTheLastDay.clientInfo));
    await aPrivacyRequest();
    await database.query("UPDATE privacy_request SET received_at = '2020-01-01', due_at = '2020-01-03'");
    await database.query(
      'ALTER TABLE waitlist_entry ADD CONSTRAINT rejecting CHECK (user_agent IS NOT NULL) NOT VALID',
    );
    const failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const counts = await backend.app.get(RetentionService).removeDue(now);
    await database.query('ALTER TABLE waitlist_entry DROP CONSTRAINT rejecting');
    expect(counts).toMatchObject({ clientInfo: 0, privacyRequests: 1 });
    expect(failed.mock.calls).toEqual([[expect.stringMatching(/^Retention failed for clientInfo.*rejecting/)]]);
  });

  test('runs when the backend starts', async () => {
    await anEntry('2020-01-01T00:00:00Z', { completed: false });
    const logged = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    await restart();
    expect(logged).toHaveBeenCalledWith('Removed by retention: clientInfo 1, unfinishedEntries 1.');
    logged.mockRestore();
    expect(await idsOf('waitlist_entry')).toEqual([]);
  });
});

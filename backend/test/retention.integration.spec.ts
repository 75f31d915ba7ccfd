import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventKinds } from '@daybook/contract/events';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { erase } from '../src/operator/forget-subscriber.ts';
import { OutboxRepository } from '../src/outbox/index.ts';
import { retentionBatchSize, retentionPeriods } from '../src/retention/removals.ts';
import { RetentionService } from '../src/retention/retention.service.ts';
import { anEmail } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend, restart } = useBackend({ PRIVACY_REQUESTS: 'record' });

const defaults = { CLIENT_DETAILS_KEPT: 90, UNFINISHED_ENTRIES_KEPT: 12, PRIVACY_REQUESTS_KEPT: 24 };
const periods = retentionPeriods(defaults);
const nothing = { clientInfo: 0, unfinishedEntries: 0, emergencyNotices: 0, privacyRequests: 0, events: 0 };

/** SQL: a minute before and after a period. */
const due = (period: string) => `now() - interval '${period}' - interval '1 minute'`;
const retained = (period: string) => `now() - interval '${period}' + interval '1 minute'`;
const longAgo = "timestamptz '2020-01-01'";

beforeEach(() => database.clear());
afterEach(() => void jest.restoreAllMocks());

/** Removes due rows by the backend's settings, or others, and expects that nothing fails. */
async function removeDue(settings?: Partial<typeof defaults>) {
  const failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  const retention = settings
    ? new RetentionService(backend.app.get(DataSource), { ...defaults, ...settings })
    : backend.app.get(RetentionService);
  const counts = await retention.removeDue();
  expect(failed.mock.calls).toEqual([]);
  return counts;
}

/** Creates an entry with all client details, at a time in SQL. */
async function anEntry(createdAt: string, { email = anEmail(), change = 'completed_at = created_at' } = {}) {
  const { id } = await backend.anEntry({ email });
  const details = "user_agent = 'Browser/1', language = 'en-US', network = '10.1.2.0/24'";
  await database.query(`UPDATE waitlist_entry SET created_at = ${createdAt}, ${details}, ${change} WHERE id = ${id}`);
  return { id, email };
}
const unfinished = { change: 'completed_at = NULL' };

/** Makes a privacy request and returns its reference number. */
const aPrivacyRequest = async () => (await backend.makePrivacyRequest()).body.reference;

const idsOf = async (table: string) =>
  (await database.query<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => Number(id)).sort((a, b) => a - b);
const idsIn = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id).sort((a, b) => a - b);
const emails = async () => (await database.query('SELECT email FROM subscriber ORDER BY id')).map(({ email }) => email);

describe('retention periods of the Privacy Policy', () => {
  test('client details and emergency notices are removed after 90 days', async () => {
    for (const at of [due('90 days'), retained('90 days')]) {
      await anEntry(at);
      const notice = 'INSERT INTO emergency_notice (email, source, client_timestamp, received_at)';
      await database.query(`${notice} VALUES ($1, 'x', now(), ${at})`, [anEmail()]);
    }
    expect(await removeDue()).toEqual({ ...nothing, clientInfo: 1, emergencyNotices: 1 });
    const details = 'SELECT user_agent, language, network FROM waitlist_entry ORDER BY created_at';
    const kept = { user_agent: 'Browser/1', language: 'en-US', network: '10.1.2.0/24' };
    expect(await database.query(details)).toEqual([{ user_agent: null, language: null, network: null }, kept]);
    const late = `SELECT received_at > ${due('90 days')} AS late FROM emergency_notice`;
    expect(await database.query(late)).toEqual([{ late: true }]);
  });

  test('an unfinished registration is removed after 12 months, with the last one its email', async () => {
    const notice = "notice_source = 'x', notice_timestamp = now(), notice_received_at = now()";
    const remaining = [
      await anEntry(retained('12 months'), unfinished),
      await anEntry(due('12 months')),
      await anEntry(due('12 months'), { change: notice }),
    ];
    const gone = await anEntry(due('12 months'), unfinished);
    await anEntry(longAgo, { ...unfinished, email: gone.email });
    // Its email has another registration.
    await anEntry(due('12 months'), { ...unfinished, email: remaining[1]?.email ?? '' });
    expect(await removeDue()).toMatchObject({ unfinishedEntries: 3 });
    expect(await idsOf('waitlist_entry')).toEqual(idsIn(remaining));
    expect(await emails()).toEqual(remaining.map(({ email }) => email));

    const expired = async () => (await database.eventsWith()).filter(({ type }) => type === 'subscriber.expired');
    const [event, ...others] = await expired();
    expect([event?.data, others]).toEqual([{ email: gone.email, expiredAt: expect.any(String) }, []]);
    expect(eventKinds['subscriber.expired'].data.parse(event?.data)).toEqual(event?.data);
    const outbox = backend.app.get(OutboxRepository);
    // The older events of the email come first.
    for (let claimed = await outbox.claim(); claimed.length > 0; claimed = await outbox.claim())
      for (const each of claimed) await outbox.record(each, { status: 'delivered' });
    expect(Object.keys((await expired())[0]?.data ?? {})).toEqual(['expiredAt']);
  });

  test.each([
    ['it was done', 'done_at', "due_at = '2020-01-01'"],
    ['the due date, if it is still open', 'due_at', 'done_at = NULL'],
  ])('a privacy request is removed 24 months after %s', async (_when, column, other) => {
    const requests = [await aPrivacyRequest(), await aPrivacyRequest()];
    for (const [index, time] of [due('24 months'), retained('24 months')].entries()) {
      const change = `UPDATE privacy_request SET received_at = '2019-01-01', ${column} = ${time}, ${other}`;
      await database.query(`${change} WHERE reference = $1`, [requests[index]]);
    }
    expect(await removeDue()).toMatchObject({ privacyRequests: 1 });
    expect(await database.query('SELECT reference FROM privacy_request')).toEqual([{ reference: requests[1] }]);
  });

  test('settings shorten or extend the retention', async () => {
    await anEntry(due('7 days'));
    await anEntry(due('2 months'), unfinished);
    await aPrivacyRequest();
    await database.query(`UPDATE privacy_request SET received_at = ${longAgo}, due_at = ${due('24 months')}`);
    expect(await removeDue({ PRIVACY_REQUESTS_KEPT: 25 })).toEqual(nothing);
    const shorter = { CLIENT_DETAILS_KEPT: 7, UNFINISHED_ENTRIES_KEPT: 2 };
    expect(await removeDue(shorter)).toMatchObject({ clientInfo: 2, unfinishedEntries: 1, privacyRequests: 1 });
  });

  test('an event is removed after 90 days unless it waits with its subject, or is an erasure', async () => {
    const { id: entryId } = await backend.anEntry();
    const reference = await aPrivacyRequest();
    await database.query('DELETE FROM outbox_event');
    const store = (status: string, data: object, type = 'x', at = due('90 days')) =>
      database.query(
        `INSERT INTO outbox_event (id, type, data, status) VALUES (uuidv7(${at} - clock_timestamp()), $1, $2, $3)`,
        [type, data, status],
      );
    await store('delivered', { entryId });
    await store('dead', { entryId });
    // Their entry, notice and request are gone.
    for (const data of [{ entryId: 1 }, {}, { reference: 'K7QM-3XTA-9VD2' }]) await store('pending', data);
    await store('delivered', {}, 'subscriber.forgotten');
    for (const status of ['delivered', 'pending']) await store(status, { stays: 1 }, 'x', retained('90 days'));
    for (const subject of [{ reference }, { entryId }]) await store('pending', { ...subject, stays: 1 });
    for (const type of ['subscriber.expired', 'subscriber.forgotten'])
      for (const status of ['dead', 'pending']) await store(status, { stays: 1 }, type);
    expect(await removeDue()).toEqual({ ...nothing, events: 6 });
    expect(await database.eventsWith({ stays: 1 })).toHaveLength(8);
  });

  test.each(['privacy-policy', 'california-privacy-notice'])('%s states the periods', (text) => {
    const policy = readFileSync(join(import.meta.dirname, `../../mf-legal/content/${text}.md`), 'utf8');
    const [, section = ''] = policy.split('## How long we keep it');
    for (const [what, period] of [
      [/never completed.*/, periods.unfinishedEntries],
      [/browser details.*/i, periods.clientInfo],
      [/emergency notice.*/i, periods.emergencyNotices],
      [/email system.*/, periods.events],
      [/reference number.*/, periods.privacyRequests],
    ] as const)
      expect(what.exec(section)?.[0]).toContain(period);
  });
});

describe('the removal of due rows', () => {
  test('continues over several batches, on several replicas, and during signups', async () => {
    const count = 2 * retentionBatchSize + 1;
    await database.query(
      `INSERT INTO emergency_notice (email, source, client_timestamp, received_at)
       SELECT 'reader' || n || '@example.com', 'x', now(), '2020-01-01' FROM generate_series(1, $1::int) n`,
      [count],
    );
    const old: { email: string }[] = [];
    for (let n = 0; n < 20; n++) old.push(await anEntry(longAgo, unfinished));
    const [signups, ...counts] = await Promise.all([
      Promise.all(old.map(({ email }) => backend.signUp({ email }))),
      removeDue(),
      removeDue(),
    ]);
    expect(signups.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const sum = (kind: keyof typeof nothing) => counts.reduce((total, each) => total + each[kind], 0);
    expect([sum('unfinishedEntries'), sum('emergencyNotices')]).toEqual([20, count]);
    expect(await idsOf('waitlist_entry')).toEqual(idsIn(signups.map(({ body }) => body.entry)));
    expect((await emails()).sort()).toEqual(old.map(({ email }) => email).sort());
    expect(await idsOf('emergency_notice')).toEqual([]);
  });

  // They would deadlock if the removal locked them in another order, and forgetting waited for it.
  test('locks subscribers in their order, so that forgetting one neither waits nor fails', async () => {
    const [first, second] = [await anEntry(longAgo, unfinished), await anEntry(longAgo, unfinished)];
    const holder = await database.lock('SELECT FROM subscriber WHERE email = $1 FOR UPDATE', [first.email]);
    const removal = removeDue();
    await database.waiting(1);
    expect(await erase(backend.app.get(DataSource), second.email, true)).toMatchObject({ removed: { entries: 1 } });
    await holder.end();
    expect(await removal).toMatchObject({ unfinishedEntries: 1 });
    expect(await emails()).toEqual([]);
  });

  test('continues with the other kinds if one fails, and runs when the backend starts', async () => {
    await anEntry(longAgo);
    await aPrivacyRequest();
    await database.query(`UPDATE privacy_request SET received_at = ${longAgo}, due_at = '2020-01-03'`);
    const constraint = 'CONSTRAINT rejecting CHECK (user_agent IS NOT NULL) NOT VALID';
    await database.query(`ALTER TABLE waitlist_entry ADD ${constraint}`);
    const failed = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const counts = await backend.app.get(RetentionService).removeDue();
    await database.query('ALTER TABLE waitlist_entry DROP CONSTRAINT rejecting');
    expect(counts).toMatchObject({ clientInfo: 0, privacyRequests: 1 });
    expect(failed.mock.calls).toEqual([[expect.stringMatching(/^Retention failed for clientInfo.*rejecting/)]]);
    const logged = jest.spyOn(Logger.prototype, 'log');
    await restart();
    expect(await database.query('SELECT user_agent FROM waitlist_entry')).toEqual([{ user_agent: null }]);
    expect(logged).toHaveBeenCalledWith('Removed by retention: clientInfo 1.');
  });
});

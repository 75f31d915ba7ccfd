import { CommandError } from '@daybook/server';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { isoTime, OutboxEvent } from '../outbox/index.ts';
import { isCompleted, Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { parseAddress } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import type { ForgottenCount } from './forgotten-count.entity.ts';
import { confirm, countOf } from './output.ts';
import { describeSimilar, describeUnknown, readRecord, type SubscriberRecord } from './subscriber-record.ts';

export type Erasure = Awaited<ReturnType<typeof erase>>;

/**
 * In one statement, for a notice is stored together with its event: either both are seen or none. Jobs name the event
 * alone, but what one answered is kept with it.
 */
const deleteNoticesAndEvents = `
  WITH notice AS (
    DELETE FROM emergency_notice WHERE email = $1 RETURNING id
  ), event AS (
    DELETE FROM outbox_event WHERE data->>'email' = $1 RETURNING id, type, delivered_at
  ), job AS (
    DELETE FROM pgboss.job WHERE singleton_key IN (SELECT id::text FROM event)
  )
  SELECT (SELECT count(*) FROM notice) AS notices,
    (SELECT count(*) FROM event) AS events,
    (SELECT count(*) FROM event WHERE delivered_at IS NULL AND type <> 'subscriber.forgotten') AS undelivered,
    (SELECT count(*) FROM event WHERE type = 'subscriber.forgotten') AS forgotten,
    (SELECT count(*) FROM privacy_request WHERE email = $1) AS requests
`;

const countForgotten = `
  INSERT INTO forgotten_count (month, status, count) VALUES (date_trunc('month', now() AT TIME ZONE 'UTC'), $1, 1)
  ON CONFLICT (month, status) DO UPDATE SET count = forgotten_count.count + 1
`;

/**
 * Removes all that is kept of an address but its privacy requests, which have to be kept to show that they were
 * answered. It is one transaction, and leaves a count and the event that tells the mail system to do the same.
 *
 * @param notify whether there is to be such an event
 */
export function erase(dataSource: DataSource, email: string, notify: boolean) {
  return dataSource.transaction(async (manager) => {
    const query = () => manager.createQueryBuilder();
    // Held against a signup with the same address that begins now: it waits, and then makes the subscriber anew. Those
    // that ended before are seen by the statements that follow. Where there is no subscriber, one is made to be held:
    // else a signup of this moment would keep its entry and lose its event.
    const held = query().insert().into(Subscriber).values({ email }).orUpdate(['email'], ['email']);
    const [{ id, is_new }] = (await held.returning('id, old.id IS NULL AS is_new').execute()).raw;
    const entries: { completed: boolean }[] = (
      await query()
        .delete()
        .from(WaitlistEntry)
        .where({ subscriberId: id })
        .returning(`${isCompleted} AS completed`)
        .execute()
    ).raw;
    await manager.delete(Subscriber, { id });
    const [removed] = await manager.query<[Readonly<Record<string, number>>]>(deleteNoticesAndEvents, [email]);
    const { notices = 0, events = 0, undelivered = 0, forgotten = 0, requests = 0 } = removed;
    // Somebody else may have been faster: then only their event is left, to be made anew.
    if (!is_new || notices + events > forgotten) await manager.query(countForgotten, [statusOf(entries)]);
    let event: string | undefined;
    if (notify && (!is_new || notices + events > 0)) {
      const data = () => `jsonb_build_object('email', :email::text, 'forgottenAt', ${isoTime('now()')})`;
      // An attempt that is under way may still send the address to the mail system; it ends before this one begins.
      const nextAttemptAt = () => "now() + interval '30 s'";
      const insert = query().insert().into(OutboxEvent).values({ type: 'subscriber.forgotten', data, nextAttemptAt });
      event = (await insert.setParameter('email', email).returning('id').execute()).raw[0].id;
    }
    return {
      email,
      subscriber: !is_new,
      entries: entries.length,
      emergencyNotices: notices,
      events,
      /** Those of the events that the mail system never took. */
      undelivered,
      /** These are kept. */
      privacyRequests: requests,
      /** The event that notifies the mail system. */
      event,
    };
  });
}

function statusOf(entries: readonly { readonly completed: boolean }[]): ForgottenCount['status'] {
  if (entries.length === 0) return 'never signed up';
  return entries.some(({ completed }) => completed) ? 'completed' : 'unfinished';
}

export function addForgetCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('forget')
    .description('removes all that is kept of an address')
    .argument('<address>', 'to be forgotten', parseAddress)
    .option('--yes', 'do it without asking; needed where there is no terminal')
    .option(
      '--no-event',
      'notify no mail system, and drop its pending events: where you have none, or told it yourself',
    )
    .option('--json', 'what was removed, for programs')
    .addHelpText(
      'after',
      `
Removes subscriber, registrations with client details, emergency notices, and the events of the address,
delivered or not. A number by month and status stays. An event subscriber.forgotten tells the mail system to do
the same; it holds the address, is kept until it was taken, and loses the address then. Backups made before still
have everything: forget the address again after restoring one. Privacy requests are kept for as long as the Privacy
Policy says, to show that they were answered.`,
    )
    .action(
      context.action(async (email: string, options: { yes?: true; event: boolean; json?: true }) => {
        const dataSource = await context.connect();
        const record = await readRecord(dataSource, email);
        if (!record || hasNothingToForget(record, options.event)) {
          const lines = record ? describeRest(record) : [await describeUnknown(dataSource, email)];
          if (options.json) context.printJson({ email, found: false });
          else context.print([...lines, 'There is nothing to forget.']);
          return;
        }
        if (!options.yes && !(await confirm(questionOf(record), context.terminal, context.stop)))
          throw new CommandError('Nothing was removed.');
        const erasure = await erase(dataSource, email, options.event);
        if (options.json) context.printJson({ ...erasure, found: true });
        else context.print([...describe(erasure), ...(await describeSimilar(dataSource, email))]);
      }),
    );
}

const forgottenEvents = ({ events }: SubscriberRecord) => events.filter(({ type }) => type === 'subscriber.forgotten');

/** Whether there is nothing but what is kept: privacy requests, and the event for the mail system. */
const hasNothingToForget = (record: SubscriberRecord, notify: boolean) =>
  !record.subscriber &&
  record.emergencyNotices.length === 0 &&
  record.events.length === (notify ? forgottenEvents(record).length : 0);

function describeRest(record: SubscriberRecord): readonly string[] {
  const [event] = forgottenEvents(record);
  return [
    ...(event ? [`${record.email} was forgotten before; the mail system is yet to take the event ${event.id}.`] : []),
    ...describeRequests(record.privacyRequests.length),
  ];
}

const describeRequests = (count: number): readonly string[] =>
  count === 0 ? [] : [`Kept, as the Privacy Policy says: ${countOf(count, 'privacy request')}.`];

function questionOf({ email, entries, emergencyNotices, events }: SubscriberRecord): string {
  const what = [
    countOf(entries.length, 'registration'),
    countOf(emergencyNotices.length, 'emergency notice'),
    countOf(events.length, 'event'),
  ];
  return `Forget ${email} for good, with ${what.join(', ')}?`;
}

function describe(erasure: Erasure): readonly string[] {
  const { email, subscriber, entries, emergencyNotices, events, undelivered, privacyRequests, event } = erasure;
  const lost = undelivered === 0 ? '' : ` (${undelivered} of which the mail system never took)`;
  return [
    `${email} is forgotten. Removed:`,
    `  ${countOf(subscriber ? 1 : 0, 'subscriber')}, ${countOf(entries, 'registration')} with client details`,
    `  ${countOf(emergencyNotices, 'emergency notice')}, ${countOf(events, 'event')}${lost}`,
    event === undefined
      ? 'The mail system is told nothing.'
      : `The mail system is told by event ${event}, subscriber.forgotten, in half a minute at the earliest.`,
    ...describeRequests(privacyRequests),
  ];
}

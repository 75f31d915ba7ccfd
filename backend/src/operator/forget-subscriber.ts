import { CommandError } from '@daybook/server';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { mailboxOf } from '../database/index.ts';
import { insertEvent, isoTime, lease } from '../outbox/index.ts';
import { isCompleted, Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { byOption, parseAddress } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import type { ForgottenCount } from './forgotten-count.entity.ts';
import { confirm, countOf } from './output.ts';

type Erasure = Awaited<ReturnType<typeof erase>>;

const address = mailboxOf('$1');

/**
 * Locks the subscriber: a concurrent signup with the address waits, and then inserts a new one. Inserts a subscriber if
 * there is none: without a lock, a concurrent signup would keep its entry and lose its event.
 */
const lockSubscriber = `
  INSERT INTO subscriber AS known (email) VALUES ($1) ON CONFLICT (${mailboxOf('email')}) DO UPDATE SET email = known.email
  RETURNING id, old.id IS NULL AS is_new
`;

/** One statement, because a notice is stored together with its event: a single snapshot sees both or neither. */
const deleteNoticesAndEvents = `
  WITH notice AS (
    DELETE FROM emergency_notice WHERE ${mailboxOf('email')} = ${address} RETURNING id
  ), event AS (
    DELETE FROM outbox_event WHERE ${mailboxOf("data->>'email'")} = ${address} RETURNING id, type
  )
  SELECT (SELECT count(*) FROM notice) AS notices,
    (SELECT count(*) FROM event) AS events,
    (SELECT count(*) FROM event WHERE type = 'subscriber.forgotten') AS forgotten,
    (SELECT count(*) FROM privacy_request WHERE ${mailboxOf('email')} = ${address}) AS requests
`;

/**
 * Delayed: a delivery in progress may still send the address to the mail system, and must end before. Not `now()`, the start
 * of the transaction, which a signup that is erased here may have made wait.
 */
const storeEvent = `
  ${insertEvent('subscriber.forgotten', { email: '$1::text', forgottenAt: isoTime('clock_timestamp()') }, '', lease)}
  RETURNING id
`;

const countForgotten = `
  INSERT INTO forgotten_count (month, status, count) VALUES (date_trunc('month', now() AT TIME ZONE 'UTC'), $1, 1)
  ON CONFLICT (month, status) DO UPDATE SET count = forgotten_count.count + 1
`;

/**
 * Removes all data of an address, in any spelling, except its privacy requests, which are retained as proof of the
 * response. Runs in one transaction, and stores a count and the event that makes the mail system delete the address.
 *
 * @param notify whether to store that event
 */
export function erase(dataSource: DataSource, email: string, notify: boolean) {
  return dataSource.transaction(async (manager) => {
    const query = () => manager.createQueryBuilder();
    // The statements below see signups that ended before.
    const [{ id, is_new }] = await manager.query<[{ id: number; is_new: boolean }]>(lockSubscriber, [email]);
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
    const { notices = 0, events = 0, forgotten = 0, requests = 0 } = removed;
    // False if only the event of an earlier call is left, which is replaced.
    const isKnown = !is_new || notices + events > forgotten;
    if (isKnown) await manager.query(countForgotten, [statusOf(entries)]);
    let event: string | undefined;
    if (notify && (isKnown || forgotten > 0)) {
      event = (await manager.query<[{ id: string }]>(storeEvent, [email]))[0].id;
    }
    return {
      email,
      found: isKnown,
      subscriber: !is_new,
      entries: entries.length,
      emergencyNotices: notices,
      events: events - forgotten,
      /** Retained. */
      privacyRequests: requests,
      /** The event for the mail system. */
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
    .description('removes all data of an address')
    .argument('<address>', 'the address to forget', parseAddress)
    .option('--yes', 'skip the confirmation; required without a terminal')
    .option(
      '--no-event',
      'do not notify the mail system, and drop its pending events: if there is none, or you notified it yourself',
    )
    .addOption(byOption())
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Removes subscriber, registrations with client details, emergency notices, and the events of the address,
delivered or not. An anonymous count by month and status remains. The event subscriber.forgotten makes the mail system
delete the address, and contains it until delivery. Earlier backups still contain everything: forget the address again
after restoring one. Privacy requests are retained for the period in the Privacy Policy, as proof of the response. The audit
log retains that the address was forgotten, by a hash of it: audit-log --email.`,
    )
    .action(
      context.action(async (email: string, options: { yes?: true; event: boolean; by?: string; json?: true }) => {
        if (!options.yes && !(await confirm(`Forget ${email} for good?`, context.terminal, context.stop)))
          throw new CommandError('Nothing was removed.');
        const { by, event } = options;
        const dataSource = await context.connectForAudit(by, 'subscribers forget', { event }, async () => [email]);
        const erasure = await erase(dataSource, email, event);
        context.printResult(erasure, options.json, () => describe(erasure));
      }),
    );
}

function describe(erasure: Erasure): readonly string[] {
  const { email, found, subscriber, entries, emergencyNotices, events, privacyRequests, event } = erasure;
  return [
    ...(found
      ? [
          `${email} is forgotten. Removed:`,
          `  ${countOf(subscriber ? 1 : 0, 'subscriber')}, ${countOf(entries, 'registration')} with client details`,
          `  ${countOf(emergencyNotices, 'emergency notice')}, ${countOf(events, 'event')}`,
        ]
      : [`There is nothing to forget of ${email}.`]),
    event
      ? `The mail system is notified by event ${event}, subscriber.forgotten, in 30 seconds at the earliest.`
      : 'The mail system is not notified.',
    ...(privacyRequests > 0
      ? [`Retained, as the Privacy Policy says: ${countOf(privacyRequests, 'privacy request')}.`]
      : []),
  ];
}

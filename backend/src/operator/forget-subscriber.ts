import { UsageError } from '@daybook/server/command-line';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { mailboxOf } from '../database/index.ts';
import { insertEvent, isoTime, lease } from '../outbox/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { parseEmail } from './arguments.ts';
import type { OperatorContext } from './context.ts';

/** Locks the subscriber, also one that is new: otherwise a concurrent signup would keep its entry and lose its event. */
const lockSubscriber = `
  INSERT INTO subscriber AS known (email) VALUES ($1) ON CONFLICT (${mailboxOf('email')}) DO UPDATE SET email = known.email
  RETURNING id, old.id IS NULL AS "isNew"
`;

const mailbox = mailboxOf('$1');

/** One statement, because a notice is stored together with its event: a single snapshot sees both or neither. */
const deleteNoticesAndEvents = `
  WITH notice AS (
    DELETE FROM emergency_notice WHERE ${mailboxOf('email')} = ${mailbox} RETURNING id
  ), event AS (
    DELETE FROM outbox_event WHERE ${mailboxOf("data->>'email'")} = ${mailbox} RETURNING type
  )
  SELECT (SELECT count(*) FROM notice) AS notices,
    (SELECT count(*) FROM event WHERE type <> 'subscriber.forgotten') AS events,
    (SELECT count(*) FROM event WHERE type = 'subscriber.forgotten') AS erasures,
    (SELECT count(*) FROM privacy_request WHERE ${mailboxOf('email')} = ${mailbox}) AS requests
`;

/** Delayed until no delivery in progress can send the email. Not `now()`, since a signup that is erased here may be later. */
const storeEvent = `
  ${insertEvent('subscriber.forgotten', { email: '$1::text', forgottenAt: isoTime('clock_timestamp()') }, '', lease)}
  RETURNING id
`;

type Removed = Readonly<Record<'notices' | 'events' | 'erasures' | 'requests', number>>;

/**
 * Removes all data of an email, in any spelling, except its privacy requests, in one transaction.
 *
 * @param notify whether to store the event that makes the mail system delete the email
 */
export function erase(dataSource: DataSource, email: string, notify: boolean) {
  return dataSource.transaction(async (manager) => {
    const [{ id, isNew }] = await manager.query<[{ id: number; isNew: boolean }]>(lockSubscriber, [email]);
    const { affected } = await manager.delete(WaitlistEntry, { subscriberId: id });
    await manager.delete(Subscriber, { id });
    const [{ notices, events, erasures, requests }] = await manager.query<[Removed]>(deleteNoticesAndEvents, [email]);
    // The event of an earlier erasure is replaced.
    const isKnown = !isNew || notices + events + erasures > 0;
    const stored = notify && isKnown ? await manager.query<[{ id: string }]>(storeEvent, [email]) : [];
    return {
      email,
      removed: { subscribers: isNew ? 0 : 1, entries: affected ?? 0, emergencyNotices: notices, events },
      retained: { privacyRequests: requests },
      event: stored[0]?.id ?? null,
    };
  });
}

export function addForgetCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('forget')
    .description('removes all data of an email for good')
    .argument('<email>', 'the email to forget', parseEmail)
    .option('--yes', 'confirms it; required')
    .option(
      '--no-event',
      'do not notify the mail system, and drop its pending events: if there is none, or you notified it yourself',
    )
    .addHelpText(
      'after',
      `
Removes subscriber, registrations with client details, emergency notices, and the events of the email, delivered or
not. The event subscriber.forgotten makes the mail system delete the email, ${lease} seconds later at the earliest,
and contains it until delivery. Earlier backups still contain everything: forget the email again after restoring one.
Privacy requests are retained for the period in the Privacy Policy, as proof of the response. The audit log retains that
the email was forgotten, by a hash of it: subscribers show --audit.`,
    )
    .action(
      context.action(async (email: string, { yes, event }: { readonly yes?: true; readonly event: boolean }) => {
        if (!yes) throw new UsageError(`Nothing was removed. Add --yes to forget ${email} for good.`);
        const command = { action: 'subscribers forget', details: { event }, emailsOf: async () => [email] };
        context.print(await erase(await context.connect(command), email, event));
      }),
    );
}

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type EventType, eventKinds, eventOf } from '@daybook/contract/events';
import { CommandError } from '@daybook/server/command-line';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import * as z from 'zod';
import { mailboxKey, mailboxOf } from '../database/index.ts';
import type { OperatorContext } from './context.ts';

const eventSchema = z.union(Object.keys(eventKinds).map((type) => eventOf(type as EventType)));

interface LoggedEvent {
  readonly line: number;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>> & { readonly email: string };
  /** When it happened, by the database's clock. */
  readonly at: string;
}

/** Max number of unreadable lines that the result names. */
const namedLines = 20;

const sameMailbox = (email: string) => `${mailboxOf('email')} = ${mailboxOf(email)}`;

/**
 * Stores what an event reports; each statement returns a row if it has added or changed something. The parameters are the
 * event's data, as JSON, and its time. None stores an event: the mail system has it.
 */
const statements: Readonly<Record<EventType, string>> = {
  'signup.created': `
    WITH subscriber AS (
      INSERT INTO subscriber AS known (email, created_at) SELECT $1::jsonb->>'email', $2::timestamptz
      WHERE NOT EXISTS (SELECT FROM waitlist_entry WHERE id = ($1::jsonb->>'entryId')::bigint)
      ON CONFLICT (${mailboxOf('email')}) DO UPDATE
      SET unsubscribed_at = CASE WHEN known.unsubscribed_at > $2::timestamptz THEN known.unsubscribed_at END
      RETURNING id
    )
    INSERT INTO waitlist_entry (id, subscriber_id, suspected, created_at)
    SELECT ($1::jsonb->>'entryId')::bigint, id, ($1::jsonb->>'suspected')::boolean, $2 FROM subscriber RETURNING id`,
  'signup.completed': `
    UPDATE waitlist_entry SET completed_at = $2
    WHERE id = ($1::jsonb->>'entryId')::bigint AND num_nonnulls(completed_at, notice_received_at) = 0 RETURNING id`,
  // The visitor's clock is not in the event.
  'signup.emergency': `
    INSERT INTO emergency_notice (email, source, client_timestamp, received_at)
    VALUES ($1::jsonb->>'email', $1::jsonb->>'source', $2, $2) ON CONFLICT DO NOTHING RETURNING id`,
  'privacy_request.received': `
    WITH ended AS (
      UPDATE subscriber SET unsubscribed_at = $2
      WHERE ${sameMailbox("$1::jsonb->>'email'")} AND unsubscribed_at IS NULL
        AND $1::jsonb->>'kind' IN ('unsubscribe', 'ca-unsubscribe')
        AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id AND waitlist_entry.created_at > $2)
      RETURNING id
    ), request AS (
      INSERT INTO privacy_request
        (reference, kind, email, fields, page_version, global_privacy_control, received_at, due_at)
      SELECT reference, kind, email, fields, "pageVersion", "globalPrivacyControl", $2, "dueAt"
      FROM jsonb_to_record($1::jsonb) AS event (reference text, kind text, email text, fields jsonb, "pageVersion" text,
        "globalPrivacyControl" boolean, "dueAt" timestamptz)
      ON CONFLICT (reference) DO NOTHING RETURNING id
    )
    SELECT id FROM ended UNION ALL SELECT id FROM request`,
  'subscriber.expired': '',
  'subscriber.forgotten': '',
};

/** Removes what was stored of an email before a time, as its erasure did. */
const eraseBefore = `
  WITH entry AS (
    DELETE FROM waitlist_entry USING subscriber
    WHERE subscriber.id = subscriber_id AND ${sameMailbox('$1')} AND waitlist_entry.created_at < $2 RETURNING waitlist_entry.id
  ), notice AS (
    DELETE FROM emergency_notice WHERE ${sameMailbox('$1')} AND received_at < $2 RETURNING id
  ), event AS (
    DELETE FROM outbox_event
    WHERE ${mailboxOf("data->>'email'")} = ${mailboxOf('$1')} AND created_at < $2 AND type <> 'subscriber.forgotten' RETURNING 1
  )
  SELECT id FROM entry UNION ALL SELECT id FROM notice UNION ALL SELECT 0 FROM event`;
const eraseSubscriber = `
  DELETE FROM subscriber WHERE ${sameMailbox('$1')} AND created_at < $2
    AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id) RETURNING id`;

/** Reads a line of the log; `undefined` if it is no event. */
function readEvent(json: string, line: number): LoggedEvent | undefined {
  try {
    const { type, data } = eventSchema.parse(JSON.parse(json)) as Pick<LoggedEvent, 'type' | 'data'>;
    const times = ['signedUpAt', 'completedAt', 'receivedAt', 'expiredAt', 'forgottenAt'];
    const at = times.map((name) => data[name]).find((time) => typeof time === 'string');
    return { line, type, data, at: at as string };
  } catch {
    return undefined;
  }
}

const isErasure = ({ type }: LoggedEvent) => type === 'subscriber.forgotten' || type === 'subscriber.expired';

interface Log {
  /** In the order in which they happened. */
  readonly events: readonly LoggedEvent[];
  /** Numbers of the lines that are no event. */
  readonly unreadable: readonly number[];
}

function readLog(lines: readonly string[]): Log {
  const events: LoggedEvent[] = [];
  const unreadable: number[] = [];
  for (const [index, line] of lines.entries()) {
    const event = readEvent(line, index + 1);
    if (event) events.push(event);
    else if (line.trim() !== '') unreadable.push(index + 1);
  }
  return { events: events.sort((one, other) => one.at.localeCompare(other.at)), unreadable };
}

/**
 * Stores what the mail system knows and the database lacks. Idempotent. The order of the lines does not matter: an erasure
 * counts for everything of its email from before, and the rest is stored in the order in which it happened.
 */
async function importEvents(dataSource: DataSource, { events, unreadable }: Log) {
  const result = { added: 0, present: 0, erased: 0, unreadable: [...unreadable] };
  const erasures = new Map(events.filter(isErasure).map((event) => [mailboxKey(event.data.email), event]));
  for (const { data, at } of erasures.values()) {
    const removed = await dataSource.transaction(async (manager) => [
      ...(await manager.query<object[]>(eraseBefore, [data.email, at])),
      ...(await manager.query<[object[]]>(eraseSubscriber, [data.email, at]))[0],
    ]);
    if (removed.length > 0) result.erased += 1;
  }
  for (const event of events) {
    if (isErasure(event)) continue;
    if (event.at < (erasures.get(mailboxKey(event.data.email))?.at ?? '')) result.present += 1;
    else
      try {
        const rows = await dataSource.query<unknown[]>(statements[event.type], [JSON.stringify(event.data), event.at]);
        // TypeORM returns the rows of an update with their number.
        const [first] = rows;
        if (Array.isArray(first) ? first.length > 0 : first !== undefined) result.added += 1;
        else result.present += 1;
      } catch (error) {
        // A value that no column accepts.
        if (!/^2[23]/.test(String((error as { code?: string }).code))) throw error;
        result.unreadable.push(event.line);
      }
  }
  result.unreadable.sort((one, other) => one - other);
  return result;
}

export function addImportCommand(events: Command, context: OperatorContext): void {
  events
    .command('import')
    .description('stores signups and requests that only the mail system knows, after a restore')
    .argument('<file>', "log of the webhooks' bodies, one a line; - for standard input")
    .addHelpText(
      'after',
      `
Idempotent, in any order of the lines. Erases again what a subscriber.forgotten or subscriber.expired in the log erased. Sends
the mail system no event: it has them.`,
    )
    .action(
      context.action(async (file: string) => {
        const log = await (file === '-' ? text(context.terminal.input) : readFile(file, 'utf8')).catch(
          ({ code }: NodeJS.ErrnoException) => {
            throw new CommandError(`${file} cannot be read (${code}).`);
          },
        );
        const read = readLog(log.split('\n'));
        const details = {
          events: read.events.length,
          erasures: read.events.filter(isErasure).length,
          unreadable: read.unreadable.length,
        };
        const dataSource = await context.connect({ action: 'events import', details });
        const result = await importEvents(dataSource, read);
        context.print(result);
        const { unreadable } = result;
        if (unreadable.length > 0)
          throw new CommandError(
            `Lines that could not be read: ${unreadable.slice(0, namedLines).join(', ')}${unreadable.length > namedLines ? ', …' : ''}. All others are stored.`,
          );
      }),
    );
}

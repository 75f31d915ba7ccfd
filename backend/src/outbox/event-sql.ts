import type { EventData, EventType } from '@daybook/contract/events';
import { mailboxOf } from '../database/index.ts';

/** Time in s for which a claimed event is its worker's: longer than the timeouts of receiver and database together. */
export const lease = 30;

/** Returns SQL that formats a time as in events: ISO 8601, UTC, with ms. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Returns SQL that stores an event for each row of a source.
 *
 * @param data an SQL expression for each of the event's fields, or one for all of them
 * @param source such as `FROM entry`; by default one row
 * @param delay time in s after which the event is due
 */
export function insertEvent<Type extends EventType>(
  type: Type,
  data: Readonly<Record<keyof EventData<Type>, string>> | `${string}::jsonb`,
  source = '',
  delay = 0,
): string {
  const fields = Object.entries<string>(data).map(([name, value]) => `'${name}', ${value}`);
  const object = typeof data === 'string' ? data : `jsonb_build_object(${fields})`;
  return `INSERT INTO outbox_event (type, data, next_attempt_at) SELECT '${type}', ${object}, now() + interval '${delay} s' ${source}`;
}

/** Max events of an email within 24 hours that are alike: a receiver that sends a mail for each must not flood an inbox. */
const eventsPerDay = 3;

/**
 * Returns an SQL condition: whether an event may be sent. It is exact under a lock of the subscriber.
 *
 * @param email an SQL expression
 * @param alike SQL of a JSON object with the fields that events have in common to be alike
 */
export const maySend = (type: EventType, email: string, alike = "'{}'"): string =>
  `events_of_day('${type}', ${mailboxOf(email)}, ${alike}) < ${eventsPerDay}`;

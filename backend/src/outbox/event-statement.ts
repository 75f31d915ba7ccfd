import type { EventData, EventType } from '@daybook/contract';

/** A time of the database as an event tells it: ISO 8601, UTC, ms. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The statement that stores one event for each row of a source. It is meant to stand in a CTE beside the change that
 * it tells of: one statement, one transaction, so that there is never the one without the other.
 *
 * @param data for each field of the event, an SQL expression
 * @param source what follows FROM, e.g. the CTE of the change
 * @param dueAt when it is to be delivered, an SQL expression; at once where it is left out
 */
export function insertEvents<Type extends EventType>(
  type: Type,
  data: Readonly<Record<keyof EventData<Type>, string>>,
  source: string,
  dueAt?: string,
): string {
  const fields = Object.entries(data).map(([name, expression]) => `'${name}', ${expression}`);
  const [column, value] = dueAt === undefined ? ['', ''] : [', next_attempt_at', `, ${dueAt}`];
  return `INSERT INTO outbox_event (type, data${column}) SELECT '${type}', jsonb_build_object(${fields.join(', ')})${value} FROM ${source}`;
}

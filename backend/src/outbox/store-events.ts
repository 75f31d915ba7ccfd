import type { EventData, EventType } from '@daybook/contract/events';
import type { EntityManager } from 'typeorm';
import { OutboxEvent } from './outbox-event.entity.ts';

/** Stores events in the transaction of the change that they report: either both are stored or neither. */
export async function storeEvents<Type extends EventType>(
  manager: EntityManager,
  type: Type,
  data: readonly EventData<Type>[],
): Promise<void> {
  if (data.length > 0)
    await manager.insert(
      OutboxEvent,
      data.map((each) => ({ type, data: each })),
    );
}

/** Returns SQL that formats a time as in events: ISO 8601, UTC, with ms. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Returns an SQL statement that stores one event per row of a source, to be used as a CTE next to the reported change.
 *
 * @param data an SQL expression for each field of the event
 * @param source the FROM clause, e.g. the CTE of the change
 */
export function insertEvents<Type extends EventType>(
  type: Type,
  data: Readonly<Record<keyof EventData<Type>, string>>,
  source: string,
): string {
  const fields = Object.entries(data).map(([name, expression]) => `'${name}', ${expression}`);
  return `INSERT INTO outbox_event (type, data) SELECT '${type}', jsonb_build_object(${fields.join(', ')}) FROM ${source}`;
}

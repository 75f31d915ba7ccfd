import type { EventData, EventType } from '@daybook/contract';
import type { EntityManager } from 'typeorm';
import { OutboxEvent } from './outbox-event.entity.ts';

/** Stores events in the transaction of the change that they report, so that there is never one without the other. */
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

/** SQL for a time of the database as events have it: ISO 8601, UTC, ms. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The SQL statement that stores one event for each row of a source, for a CTE beside the change that it reports.
 *
 * @param data for each field of the event, an SQL expression
 * @param source what follows FROM, e.g. the CTE of the change
 */
export function insertEvents<Type extends EventType>(
  type: Type,
  data: Readonly<Record<keyof EventData<Type>, string>>,
  source: string,
): string {
  const fields = Object.entries(data).map(([name, expression]) => `'${name}', ${expression}`);
  return `INSERT INTO outbox_event (type, data) SELECT '${type}', jsonb_build_object(${fields.join(', ')}) FROM ${source}`;
}

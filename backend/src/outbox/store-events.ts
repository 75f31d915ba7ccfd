import type { EventData, EventType } from '@daybook/contract/events';
import type { EntityManager } from 'typeorm';
import { OutboxEvent } from './outbox-event.entity.ts';

/** Stores events in the transaction of the change that they report: either both are stored or neither. */
export async function storeEvents<Type extends EventType>(
  manager: EntityManager,
  type: Type,
  data: readonly EventData<Type>[],
): Promise<void> {
  const events = data.map((each) => ({ type, data: each }));
  if (events.length > 0) await manager.insert(OutboxEvent, events);
}

/** Returns SQL that formats a time as in events: ISO 8601, UTC, with ms. */
export const isoTime = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

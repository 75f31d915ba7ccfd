/** What an event can be: it waits to be delivered, was delivered, or is dead, until it is replayed. */
export const eventStatuses = ['pending', 'delivered', 'dead'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** The condition on a row of outbox_event that it has a status. */
export const hasStatus: Readonly<Record<EventStatus, string>> = {
  pending: 'delivered_at IS NULL AND dead_at IS NULL',
  delivered: 'delivered_at IS NOT NULL',
  dead: 'dead_at IS NOT NULL',
};

/** The status of a row of outbox_event. */
export function eventStatusOf({ delivered_at, dead_at }: { delivered_at: unknown; dead_at: unknown }): EventStatus {
  if (delivered_at !== null) return 'delivered';
  return dead_at === null ? 'pending' : 'dead';
}

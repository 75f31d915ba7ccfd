export { outboxModule } from './outbox.module.ts';
export { OutboxRepository } from './outbox.repository.ts';
export {
  type EventStatus,
  eventStatuses,
  eventStatusOf,
  hasStatus,
  OutboxEvent,
  ofAddress,
} from './outbox-event.entity.ts';
export { isoTime, storeEvents } from './store-events.ts';

export { outboxModule } from './outbox.module.ts';
export { OutboxRepository } from './outbox.repository.ts';
export { type EventStatus, eventStatuses, eventStatusOf, hasStatus, OutboxEvent } from './outbox-event.entity.ts';
export { insertEvents, isoTime, storeEvents } from './store-events.ts';

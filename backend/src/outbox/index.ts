export { OutboxModule } from './outbox.module.ts';
export { OutboxRepository } from './outbox.repository.ts';
export { type EventStatus, eventStatuses, isoTime, OutboxEvent, ofAddress } from './outbox-event.entity.ts';

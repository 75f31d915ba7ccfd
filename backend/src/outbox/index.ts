export { insertEvent, isoTime, lease, maySend } from './event-sql.ts';
export { OutboxModule } from './outbox.module.ts';
export { OutboxRepository } from './outbox.repository.ts';
export { type EventStatus, OutboxEvent, ofEmail } from './outbox-event.entity.ts';

export { DeliveryWorker } from './delivery.worker.ts';
export { insertEvent, isoTime, lease, maySend } from './event-sql.ts';
export { OutboxRepository } from './outbox.repository.ts';
export { type EventStatus, OutboxEvent, ofEmail } from './outbox-event.entity.ts';

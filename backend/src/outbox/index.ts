export { insertEvents, isoTime } from './event-statement.ts';
export { outboxModule } from './outbox.module.ts';
export { OutboxRepository } from './outbox.repository.ts';
export { OutboxService } from './outbox.service.ts';

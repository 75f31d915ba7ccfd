export { insertEvents, isoTime } from './event-statement.ts';
export { outboxModule } from './outbox.module.ts';

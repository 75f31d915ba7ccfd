export { insertEvents, isoTime } from './event-statement.ts';

export { Subscriber } from './subscriber.entity.ts';
export { WaitlistModule } from './waitlist.module.ts';
export { isCompleted, WaitlistEntry } from './waitlist-entry.entity.ts';

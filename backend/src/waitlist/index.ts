export { Subscriber } from './subscriber.entity.ts';
export { eventsPerDay, WaitlistService } from './waitlist.service.ts';
export { isCompleted, WaitlistEntry } from './waitlist-entry.entity.ts';

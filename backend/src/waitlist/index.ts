export { isCompleted, Subscriber, WaitlistEntry } from './waitlist.entities.ts';
export { WaitlistModule } from './waitlist.module.ts';
export { storeSignup } from './waitlist.statements.ts';

export { EmergencyNotice } from './emergency-notice.entity.ts';
export { Subscriber } from './subscriber.entity.ts';
export { WaitlistModule } from './waitlist.module.ts';
export { WaitlistService } from './waitlist.service.ts';
export { WaitlistEntry } from './waitlist-entry.entity.ts';

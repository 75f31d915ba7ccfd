export { EmergencyNotice } from './emergency-notice.entity.ts';
export { Subscriber } from './subscriber.entity.ts';
export { WaitlistController } from './waitlist.controller.ts';
export { WaitlistService } from './waitlist.service.ts';
export { WaitlistEntry } from './waitlist-entry.entity.ts';
export { planSignup } from './waitlist-sql.ts';

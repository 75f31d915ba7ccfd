import { EmergencyNotice } from './emergency-notice/emergency-notice.entity.ts';
import { AuditLogEntry } from './operator/audit-log.entity.ts';
import { ForgottenCount } from './operator/forgotten-count.entity.ts';
import { OutboxEvent } from './outbox/outbox-event.entity.ts';
import { PrivacyRequest } from './privacy-requests/privacy-request.entity.ts';
import { Subscriber } from './waitlist/subscriber.entity.ts';
import { WaitlistEntry } from './waitlist/waitlist-entry.entity.ts';

/** All tables, for the backend and the operator's command. */
export const entities = [
  Subscriber,
  WaitlistEntry,
  EmergencyNotice,
  PrivacyRequest,
  OutboxEvent,
  ForgottenCount,
  AuditLogEntry,
];

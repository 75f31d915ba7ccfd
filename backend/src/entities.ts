import { AuditLogEntry } from './operator/audit-log.entity.ts';
import { OutboxEvent } from './outbox/index.ts';
import { PrivacyRequest } from './privacy-requests/index.ts';
import { EmergencyNotice, Subscriber, WaitlistEntry } from './waitlist/index.ts';

export const entities = [Subscriber, WaitlistEntry, EmergencyNotice, PrivacyRequest, OutboxEvent, AuditLogEntry];

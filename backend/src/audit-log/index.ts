export { AuditLogEntry } from './audit-log.entity.ts';
export { subjectOf } from './audit-subject.ts';

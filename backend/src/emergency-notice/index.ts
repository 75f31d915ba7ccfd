export { EmergencyNotice } from './emergency-notice.entity.ts';
export { EmergencyNoticeModule } from './emergency-notice.module.ts';

export { EmergencyNoticeModule } from './emergency-notice.module.ts';

export { EmergencyNotice } from './emergency-notice.entity.ts';

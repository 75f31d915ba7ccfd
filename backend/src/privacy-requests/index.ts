export { privacyRequestsModule } from './privacy-requests.module.ts';

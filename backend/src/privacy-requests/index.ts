export { PrivacyRequest } from './privacy-request.entity.ts';
export { privacyRequestsModule } from './privacy-requests.module.ts';

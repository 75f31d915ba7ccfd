export { PrivacyRequest } from './privacy-request.entity.ts';
export { PrivacyRequestsModule } from './privacy-requests.module.ts';

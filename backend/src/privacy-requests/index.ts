export { type ListedRequest, PrivacyRequestRepository } from './privacy-request.repository.ts';
export { privacyRequestsModule } from './privacy-requests.module.ts';

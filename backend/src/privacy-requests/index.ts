export { PrivacyRequest } from './privacy-request.entity.ts';
export { PrivacyRequestsController } from './privacy-requests.controller.ts';
export { PrivacyRequestsService } from './privacy-requests.service.ts';

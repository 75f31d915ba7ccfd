export { PrivacyRequest } from './privacy-request.entity.ts';

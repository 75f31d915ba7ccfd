export { Handles } from './handles.decorator.ts';
export { answerRefusal, RefusalFilter } from './refusal.filter.ts';
export { refuseRequests } from './refuse-requests.ts';
export { registerSecurityHeaders } from './security-headers.ts';
export { validationPipe } from './validation.ts';

export { Handles } from './handles.decorator.ts';
export { answerRefusal, RefusalFilter } from './refusal.filter.ts';
export { refuseRequests, registerSecurityHeaders } from './request-hooks.ts';
export { validationPipe } from './validation.ts';

export { ErrorResponseFilter, sendErrorResponse } from './error-response.filter.ts';
export { Handles } from './handles.decorator.ts';
export { registerSecurityHeaders, rejectInvalidRequests } from './request-hooks.ts';
export { parseBody, validationPipe } from './validation.ts';

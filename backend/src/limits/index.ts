export { registerRateLimits } from './rate-limits.ts';
export { TooManyRequestsError } from './too-many-requests.error.ts';

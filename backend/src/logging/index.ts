export { registerAccessLog } from './access-log.ts';
export { NestLogger } from './nest-logger.ts';
export { keepRequestContext, requestContext } from './request-context.ts';

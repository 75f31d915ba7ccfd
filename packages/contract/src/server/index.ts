export { networkOf } from './client-network.ts';
export { connectionLimits, connectionOptions, limitConnections } from './connection-limits.ts';
export { dataHeaders } from './data-headers.ts';
export { answerParserRefusal, refuseExpectations } from './parser-refusals.ts';
export { addressLimit, refusalOfRequest } from './request-refusals.ts';
export { readSecretFiles, weakSecrets } from './secrets.ts';

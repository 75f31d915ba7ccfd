export { networkOf } from './client-network.ts';
export { connectionLimits, connectionOptions, limitConnections } from './connection-limits.ts';
export { dataHeaders } from './data-headers.ts';
export { answerParserRefusal, refuseExpectations } from './parser-refusals.ts';
export { addressLimit, refusalOfRequest } from './request-refusals.ts';
export { readSecretFiles, weakSecrets } from './secrets.ts';
export { ageOf } from './texts/age.ts';
export { alignColumns } from './texts/columns.ts';
export { sizeOf } from './texts/size.ts';

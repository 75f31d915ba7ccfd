export { networkOf, truncateAddress } from './client-network.ts';
export {
  CommandError,
  createProgram,
  exitCodes,
  processTerminal,
  runProgram,
  type Terminal,
  UsageError,
} from './command-line.ts';
export { connectionLimits, connectionOptions, limitConnections } from './connection-limits.ts';
export { dataHeaders } from './data-headers.ts';
export { deriveKey } from './derive-key.ts';
export { Drain, stopOnSignals } from './drain.ts';
export { accessLine, type LogLevel, logLevels, logOptions } from './log-options.ts';
export {
  allOperatorTokens,
  bearerTokenOf,
  findOperatorToken,
  isSameSecret,
  type OperatorToken,
  operatorNameMaxLength,
  operatorNamePattern,
  operatorTokenMinLength,
  operatorTokenNeeded,
  parseOperatorTokens,
  tokensByVariable,
} from './operator-tokens.ts';
export { answerParserRefusal, refuseExpectations } from './parser-refusals.ts';
export { hasTooManyUnderWay, maxPipelinedRequests } from './pipelining.ts';
export { requestIdHeader, requestIdOf } from './request-id.ts';
export { latencyBuckets, methodLabel } from './request-labels.ts';
export { addressLimit, refusalOfRequest } from './request-refusals.ts';
export { readSecretFiles, weakSecrets } from './secrets.ts';
export { ageOf } from './texts/age.ts';
export { alignColumns } from './texts/columns.ts';
export { sizeOf } from './texts/size.ts';
export { type RequestSpan, Tracing, traceparentHeader } from './tracing.ts';

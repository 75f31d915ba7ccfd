export { Drain, stopOnSignals } from './drain.ts';
export { accessLine, type LogLevel, logLevels, logOptions } from './log-options.ts';
export { isBearerOf, isSameSecret, operatorTokenMinLength, operatorTokenNeeded } from './operator-token.ts';
export { requestIdHeader, requestIdOf } from './request-id.ts';
export { latencyBuckets, methodLabel } from './request-labels.ts';
export { type RequestSpan, Tracing, traceparentHeader } from './tracing.ts';
export { withoutAddresses } from './without-addresses.ts';

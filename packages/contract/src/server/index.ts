export { Drain, stopOnSignals } from './drain.ts';
export { accessLine, type LogLevel, logLevels, logOptions } from './log-options.ts';
export { requestIdHeader, requestIdOf } from './request-id.ts';
export { withoutAddresses } from './without-addresses.ts';

export { dataHeaders, serverOptions } from './connections.ts';
export { databaseStateOf } from './database-errors.ts';
export { Drain, stopOnSignals } from './drain.ts';
export {
  commaSeparated,
  databaseUrl,
  EnvironmentError,
  passwordIn,
  readEnvironment,
  readSecretFiles,
  serverSchema,
  type VariableMeta,
  variablesOf,
  wholeNumber,
} from './environment.ts';
export { customerNetworkOf, networkOf, truncateIp } from './ip-network.ts';
export { bearerTokenOf, deriveKey, isSameSecret } from './keys.ts';
export { registerAccessLog, requestIdHeader } from './logging.ts';
export { buildInfo, latencyBuckets, methodLabel, serveMetrics } from './metrics.ts';
export { escapeControls, printable, printableLine } from './printable.ts';
export { errorResponseOf, maxUrlLength } from './request-checks.ts';

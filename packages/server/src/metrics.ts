const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Returns a method as a metric label: methods that a client invents become `other`, which limits the number of values.
 */
export const methodLabel = (method: string): string => (methods.has(method) ? method : 'other');

/** Upper bounds of the latency buckets in seconds: from a cached page to a slow database. */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Response to a request for metrics without an operator's token. */
export const operatorTokenNeeded = 'Send an operator token: Authorization: Bearer <OPERATOR_TOKEN>\n';

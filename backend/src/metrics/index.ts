export { Metrics, MetricsModule, type OutboxState } from './metrics.ts';
export { registerMetrics } from './register-metrics.ts';

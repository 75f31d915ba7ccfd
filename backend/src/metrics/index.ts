export { MetricsModule } from './metrics.module.ts';
export { Metrics, type OutboxState } from './metrics.ts';

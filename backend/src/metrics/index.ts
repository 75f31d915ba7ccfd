export { MetricsModule } from './metrics.module.ts';
export { Metrics } from './metrics.ts';
export { registerMetrics } from './register-metrics.ts';

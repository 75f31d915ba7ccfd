export { Metrics, MetricsModule } from './metrics.ts';

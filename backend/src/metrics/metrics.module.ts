import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.ts';

/** Every feature may count; what it counts is a method of `Metrics`. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}

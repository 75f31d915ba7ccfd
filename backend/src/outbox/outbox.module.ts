import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PgBoss } from 'pg-boss';
import { jobQueue } from '../database/index.ts';
import type { Environment } from '../environment.ts';
import { Metrics } from '../metrics.ts';
import { DeliveryWorker } from './delivery.worker.ts';
import { OutboxRepository } from './outbox.repository.ts';
import { OutboxEvent } from './outbox-event.entity.ts';
import { Receiver } from './receiver.ts';

@Module({ imports: [TypeOrmModule.forFeature([OutboxEvent])], providers: [OutboxRepository] })
class OutboxModule {
  constructor(metrics: Metrics, outbox: OutboxRepository) {
    metrics.watchOutbox(() => outbox.state());
  }
}

/** Returns the module that stores events for the mail system and, with `WEBHOOK_URL`, delivers them. */
export function outboxModule(environment: Environment): DynamicModule {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets = [] } = environment;
  if (url === undefined) return { module: OutboxModule };
  return {
    module: OutboxModule,
    providers: [
      { provide: Receiver, useFactory: () => new Receiver(url, secrets) },
      { provide: PgBoss, useFactory: () => jobQueue(environment) },
      DeliveryWorker,
    ],
  };
}

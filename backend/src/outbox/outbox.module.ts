import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
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
export function outboxModule({ WEBHOOK_URL: url, WEBHOOK_SECRET: secrets = [] }: Environment): DynamicModule {
  if (url === undefined) return { module: OutboxModule };
  const receiver = { provide: Receiver, useFactory: () => new Receiver(url, secrets) };
  return { module: OutboxModule, providers: [receiver, DeliveryWorker] };
}

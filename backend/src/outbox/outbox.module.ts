import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/index.ts';
import { DeliveryWorker } from './delivery.worker.ts';
import { OutboxRepository } from './outbox.repository.ts';

/** The queue of events for the mail system, and their delivery. */
@Module({ imports: [MetricsModule], providers: [OutboxRepository, DeliveryWorker], exports: [OutboxRepository] })
export class OutboxModule {}

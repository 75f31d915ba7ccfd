import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveryWorker } from './delivery.worker.ts';
import { OutboxRepository } from './outbox.repository.ts';
import { OutboxEvent } from './outbox-event.entity.ts';

@Module({ imports: [TypeOrmModule.forFeature([OutboxEvent])], providers: [OutboxRepository, DeliveryWorker] })
export class OutboxModule {}

import { Module } from '@nestjs/common';
import { RetentionService } from './retention.service.ts';
import { RetentionSchedule } from './retention-schedule.ts';

@Module({ providers: [RetentionService, RetentionSchedule] })
export class RetentionModule {}

import { Module } from '@nestjs/common';
import { WaitlistModule } from '../waitlist/index.ts';
import { HealthController } from './health.controller.ts';

@Module({ imports: [WaitlistModule], controllers: [HealthController] })
export class HealthModule {}

import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/index.ts';
import { WaitlistController } from './waitlist.controller.ts';
import { WaitlistRepository } from './waitlist.repository.ts';
import { WaitlistService } from './waitlist.service.ts';

@Module({
  imports: [MetricsModule],
  controllers: [WaitlistController],
  providers: [WaitlistRepository, WaitlistService],
  exports: [WaitlistService],
})
export class WaitlistModule {}

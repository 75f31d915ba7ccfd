import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WaitlistController } from './waitlist.controller.ts';
import { Subscriber, WaitlistEntry } from './waitlist.entities.ts';
import { WaitlistRepository } from './waitlist.repository.ts';
import { WaitlistService } from './waitlist.service.ts';

@Module({
  imports: [TypeOrmModule.forFeature([Subscriber, WaitlistEntry])],
  controllers: [WaitlistController],
  providers: [WaitlistService, WaitlistRepository],
})
export class WaitlistModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Subscriber } from './subscriber.entity.ts';
import { WaitlistController } from './waitlist.controller.ts';
import { WaitlistService } from './waitlist.service.ts';
import { WaitlistEntry } from './waitlist-entry.entity.ts';

@Module({
  imports: [TypeOrmModule.forFeature([Subscriber, WaitlistEntry])],
  controllers: [WaitlistController],
  providers: [WaitlistService],
})
export class WaitlistModule {}

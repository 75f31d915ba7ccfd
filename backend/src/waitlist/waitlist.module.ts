import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CompletionRepository } from './completion.repository.ts';
import { EntryIdSource } from './entry-id-source.ts';
import { SignupRepository } from './signup.repository.ts';
import { Subscriber } from './subscriber.entity.ts';
import { WaitlistController } from './waitlist.controller.ts';
import { WaitlistService } from './waitlist.service.ts';
import { WaitlistEntry } from './waitlist-entry.entity.ts';

@Module({
  imports: [TypeOrmModule.forFeature([Subscriber, WaitlistEntry])],
  controllers: [WaitlistController],
  providers: [WaitlistService, SignupRepository, CompletionRepository, EntryIdSource],
})
export class WaitlistModule {}

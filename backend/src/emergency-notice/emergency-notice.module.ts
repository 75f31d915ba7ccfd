import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmergencyNoticeController } from './emergency-notice.controller.ts';
import { EmergencyNotice } from './emergency-notice.entity.ts';
import { EmergencyNoticeService } from './emergency-notice.service.ts';

@Module({
  imports: [TypeOrmModule.forFeature([EmergencyNotice])],
  controllers: [EmergencyNoticeController],
  providers: [EmergencyNoticeService],
})
export class EmergencyNoticeModule {}

import { Module } from '@nestjs/common';
import { EmergencyNoticeController } from './emergency-notice.controller.ts';
import { EmergencyNoticeRepository } from './emergency-notice.repository.ts';

@Module({ controllers: [EmergencyNoticeController], providers: [EmergencyNoticeRepository] })
export class EmergencyNoticeModule {}

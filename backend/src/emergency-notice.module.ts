import { type Acknowledgement, type EmergencyNotice as Notice, waitlistCalls } from '@daybook/contract/api';
import { Body, Controller, Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { Handles } from './http/index.ts';
import { storeEvents } from './outbox/index.ts';

const { sendEmergencyNotice } = waitlistCalls;

/** A visitor reached the thank-you page, but their entry could not be found by address. */
@Entity()
export class EmergencyNotice {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  @Column('text')
  readonly email!: string;

  /** The part of the page that sent the notice, as reported by the page. */
  @Column('text')
  readonly source!: string;

  /** The visitor's clock: stored, never trusted. */
  @Column('timestamptz', { name: 'client_timestamp' })
  readonly clientTimestamp!: Date;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  readonly receivedAt!: Date;
}

@Injectable()
class EmergencyNoticeService {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores the first notice per address and UTC day, and its event. A unique index drops repeats. */
  async record({ email, source, timestamp }: Notice): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(EmergencyNotice)
        .values({ email, source, clientTimestamp: new Date(timestamp) })
        .orIgnore()
        .returning('received_at')
        .execute();
      const [stored] = raw as { readonly received_at: Date }[];
      if (!stored) return;
      await storeEvents(manager, 'signup.emergency', [{ email, source, receivedAt: stored.received_at.toISOString() }]);
    });
  }
}

@Controller()
class EmergencyNoticeController {
  constructor(private readonly notices: EmergencyNoticeService) {}

  /**
   * Records an address whose entry could not be found (docs/product.md, Flows and Calls). Idempotent per address and
   * day; the response is the same for every address.
   */
  @Handles(sendEmergencyNotice)
  async sendEmergencyNotice(@Body({ schema: sendEmergencyNotice.body }) notice: Notice): Promise<Acknowledgement> {
    await this.notices.record(notice);
    return { success: true };
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([EmergencyNotice])],
  controllers: [EmergencyNoticeController],
  providers: [EmergencyNoticeService],
})
export class EmergencyNoticeModule {}

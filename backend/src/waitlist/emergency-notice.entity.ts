import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A visitor reached the thank-you page, but their entry could not be found by email. */
@Index('emergency_notice_email_day_key', { synchronize: false })
@Index('emergency_notice_received_at_idx', ['receivedAt'])
@Entity()
export class EmergencyNotice {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  @Column('varchar', { length: 254 })
  readonly email!: string;

  /** The part of the page that sent the notice, as reported by the page. */
  @Column('varchar', { length: 100 })
  readonly source!: string;

  /** The visitor's clock: stored, never trusted. */
  @Column('timestamptz', { name: 'client_timestamp' })
  readonly clientTimestamp!: Date;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  readonly receivedAt!: Date;
}

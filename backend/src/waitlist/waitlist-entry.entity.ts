import type { OfferId } from '@daybook/contract/site';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Subscriber } from './subscriber.entity.ts';

/** A signup. Signing up again with the same email creates a new entry of the same subscriber. */
@Entity()
export class WaitlistEntry {
  @PrimaryColumn('bigint')
  readonly id!: number;

  @Column('bigint', { name: 'subscriber_id' })
  readonly subscriberId!: number;

  @ManyToOne(() => Subscriber)
  @JoinColumn({ name: 'subscriber_id' })
  readonly subscriber!: Subscriber;

  /** The honeypot field was filled in: by a bot, or by a browser extension that fills in every field. */
  @Column('boolean', { default: false })
  readonly suspected!: boolean;

  @Column('smallint', { default: 1 })
  readonly step!: number;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  readonly completedAt!: Date | null;

  /** `null` before the visitor's choice; empty after 'No thanks'. */
  @Column('text', { name: 'selected_offers', array: true, nullable: true })
  readonly selectedOffers!: OfferId[] | null;

  @Column('varchar', { name: 'first_name', length: 100, nullable: true })
  readonly firstName!: string | null;

  @Column('varchar', { name: 'last_name', length: 100, nullable: true })
  readonly lastName!: string | null;

  @Column('varchar', { name: 'zip_code', length: 10, nullable: true })
  readonly zipCode!: string | null;

  @Column('varchar', { name: 'user_agent', length: 512, nullable: true })
  readonly userAgent!: string | null;

  @Column('varchar', { length: 64, nullable: true })
  readonly language!: string | null;

  @Column('cidr', { nullable: true })
  readonly network!: string | null;

  @Column('varchar', { name: 'notice_source', length: 100, nullable: true })
  readonly noticeSource!: string | null;

  /** The visitor's clock: stored, never trusted. */
  @Column('timestamptz', { name: 'notice_timestamp', nullable: true })
  readonly noticeTimestamp!: Date | null;

  @Column('timestamptz', { name: 'notice_received_at', nullable: true })
  readonly noticeReceivedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}

import type { OfferId } from '@daybook/contract/site';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Subscriber } from './subscriber.entity.ts';

/** A signup. Signing up again with the same address creates a new entry of the same subscriber. */
@Entity()
export class WaitlistEntry {
  /** Random, so that ids cannot be guessed. */
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

  @Column('smallint')
  readonly step!: number;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  readonly completedAt!: Date | null;

  /** `null` before the visitor's choice; empty after 'No thanks'. */
  @Column('text', { name: 'selected_offers', array: true, nullable: true })
  readonly selectedOffers!: OfferId[] | null;

  @Column('text', { name: 'first_name', nullable: true })
  readonly firstName!: string | null;

  @Column('text', { name: 'last_name', nullable: true })
  readonly lastName!: string | null;

  @Column('text', { name: 'zip_code', nullable: true })
  readonly zipCode!: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  readonly userAgent!: string | null;

  /** The browser's preferred language tag. */
  @Column('text', { nullable: true })
  readonly language!: string | null;

  /** The visitor's network, never the full IP address. */
  @Column('cidr', { name: 'network_address', nullable: true })
  readonly networkAddress!: string | null;

  /** The part of the thank-you page that sent the first completion notice, as reported by the page. */
  @Column('text', { name: 'notice_source', nullable: true })
  readonly noticeSource!: string | null;

  /** The visitor's clock: stored, never trusted. */
  @Column('timestamptz', { name: 'notice_timestamp', nullable: true })
  readonly noticeTimestamp!: Date | null;

  @Column('timestamptz', { name: 'notice_received_at', nullable: true })
  readonly noticeReceivedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}

/** SQL: whether an entry counts as completed. A completion notice counts: its visitor saw the thank-you page. */
export const isCompleted = 'num_nonnulls(completed_at, notice_received_at) > 0';

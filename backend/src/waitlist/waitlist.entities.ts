import type { OfferId } from '@daybook/contract';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** One e-mail address, however often somebody signed up with it. */
@Entity()
export class Subscriber {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  /** Normalized, as `emailAddressSchema` gives it; unique. */
  @Column('text')
  readonly email!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  /** Since when they want no mail; null while subscribed. */
  @Column('timestamptz', { name: 'unsubscribed_at', nullable: true })
  readonly unsubscribedAt!: Date | null;
}

/** One signup. Signing up again with the same address makes a new entry of the same subscriber. */
@Entity()
export class WaitlistEntry {
  /** Random: whoever knows one cannot guess another. */
  @PrimaryColumn('bigint')
  readonly id!: number;

  @Column('bigint', { name: 'subscriber_id' })
  readonly subscriberId!: number;

  @ManyToOne(() => Subscriber)
  @JoinColumn({ name: 'subscriber_id' })
  readonly subscriber!: Subscriber;

  /** The honeypot field was filled in, and the browser that signed up has not completed the entry since. */
  @Column('boolean', { default: false })
  readonly suspected!: boolean;

  @Column('smallint')
  readonly step!: number;

  @Column('timestamptz', { name: 'completed_at', nullable: true })
  readonly completedAt!: Date | null;

  /** Null until the visitor chose; empty after 'No thanks'. */
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

  /** The language tag that the browser prefers. */
  @Column('text', { nullable: true })
  readonly language!: string | null;

  /** The visitor's network, never their full address. */
  @Column('cidr', { name: 'network_address', nullable: true })
  readonly networkAddress!: string | null;

  /** Which part of the thank-you page sent the first completion notice, in its own words. */
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

/** SQL: whether an entry counts as completed. Who sent a completion notice saw the thank-you page. */
export const isCompleted = 'num_nonnulls(completed_at, notice_received_at) > 0';

import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A person with at least one signup: an e-mail address, in whatever spelling. */
@Entity()
export class Subscriber {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  /** In the spelling of the first signup, normalized by `emailAddressSchema`. Unique as `sameEmail` compares. */
  @Column('text')
  readonly email!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  /** Time of the unsubscribe; `null` while subscribed. */
  @Column('timestamptz', { name: 'unsubscribed_at', nullable: true })
  readonly unsubscribedAt!: Date | null;

  /** Day of the last signup, and the number of signups on it that are not suspected: only the first few of a day are sent. */
  @Column('date', { name: 'last_signup_on', default: () => 'CURRENT_DATE' })
  readonly lastSignupOn!: string;

  @Column('integer', { name: 'signups_that_day', default: 0 })
  readonly signupsThatDay!: number;

  /** The number of them that ended an unsubscribe. */
  @Column('integer', { name: 'returns_that_day', default: 0 })
  readonly returnsThatDay!: number;
}

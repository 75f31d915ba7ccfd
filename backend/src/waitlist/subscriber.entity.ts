import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A person with at least one signup: an email, in whatever spelling. */
@Index('subscriber_email_key', { synchronize: false })
@Entity()
export class Subscriber {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  /** In the spelling of the first signup, normalized by `signupEmailOf`. Unique as `sameEmail` compares. */
  @Column('varchar', { length: 254 })
  readonly email!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  /** Time of the unsubscribe; `null` while subscribed. */
  @Column('timestamptz', { name: 'unsubscribed_at', nullable: true })
  readonly unsubscribedAt!: Date | null;
}

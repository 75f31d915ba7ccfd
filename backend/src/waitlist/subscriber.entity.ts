import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One e-mail address, however often somebody signed up with it. */
@Entity()
export class Subscriber {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  /** Normalised, as `emailAddressSchema` gives it; unique. */
  @Column('text')
  readonly email!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  /** Since when they want no mail; null for who never unsubscribed, or signed up again since. */
  @Column('timestamptz', { name: 'unsubscribed_at', nullable: true })
  readonly unsubscribedAt!: Date | null;
}

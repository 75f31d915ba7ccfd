import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class Subscriber {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  /** In the spelling of the first signup, normalized by `signupEmailOf`. Unique as `sameEmail` compares. */
  @Column('varchar', { length: 254 })
  readonly email!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'unsubscribed_at', nullable: true })
  readonly unsubscribedAt!: Date | null;
}

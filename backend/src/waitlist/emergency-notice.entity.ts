import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A visitor reached the thank-you page, but their entry could not be found by email. */
@Entity()
export class EmergencyNotice {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  @Column('varchar', { length: 254 })
  readonly email!: string;

  @Column('varchar', { length: 100 })
  readonly source!: string;

  /** The visitor's clock: stored, never trusted. */
  @Column('timestamptz', { name: 'client_timestamp' })
  readonly clientTimestamp!: Date;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  readonly receivedAt!: Date;
}

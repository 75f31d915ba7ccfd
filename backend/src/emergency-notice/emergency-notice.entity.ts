import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

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

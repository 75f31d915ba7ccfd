import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** An operator's command that read or changed personal data. The database lets nobody change or delete a row. */
@Entity('audit_log')
export class AuditLogEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  @Column('timestamptz', { default: () => 'now()' })
  readonly at!: Date;

  @Column('varchar', { length: 60 })
  readonly operator!: string;

  @Column('text')
  readonly action!: string;

  /** Its options, without emails: an erased one must not stay here. */
  @Column('jsonb')
  readonly details!: object;

  /** Hashes of the emails that it is about; empty for a command about all. */
  @Column('text', { array: true, default: [] })
  readonly subjects!: readonly string[];
}

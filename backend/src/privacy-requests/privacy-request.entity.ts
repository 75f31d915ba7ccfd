import type { PrivacyRequestKind, PrivacyRequest as Request } from '@daybook/contract/api';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity()
export class PrivacyRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  @Column('varchar', { length: 14 })
  readonly reference!: string;

  @Column('varchar', { length: 40 })
  readonly kind!: PrivacyRequestKind;

  /** Normalized; not verified to be the visitor's. */
  @Column('varchar', { length: 254 })
  readonly email!: string;

  @Column('jsonb')
  readonly fields!: Request['fields'];

  @Column('varchar', { name: 'page_version', length: 100 })
  readonly pageVersion!: string;

  @Column('boolean', { name: 'global_privacy_control' })
  readonly globalPrivacyControl!: boolean;

  @Column('timestamptz', { name: 'received_at' })
  readonly receivedAt!: Date;

  @Column('timestamptz', { name: 'due_at' })
  readonly dueAt!: Date;

  @Column('timestamptz', { name: 'done_at', nullable: true })
  readonly doneAt!: Date | null;
}

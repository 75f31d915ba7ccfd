import type { PrivacyRequestKind, PrivacyRequest as Request } from '@daybook/contract/api';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A request from a privacy page, stored with `PRIVACY_REQUESTS=record`. */
@Index('privacy_request_email_idx', { synchronize: false })
@Index('privacy_request_open_key', { synchronize: false })
@Index('privacy_request_open_idx', ['dueAt'], { where: 'done_at IS NULL' })
@Index('privacy_request_ended_idx', { synchronize: false })
@Unique('privacy_request_reference_key', ['reference'])
@Check('privacy_request_fields_check', "jsonb_typeof(fields) = 'object'")
@Check('privacy_request_due_at_check', 'due_at > received_at')
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

  /** Whether the browser sent `Sec-GPC: 1`. */
  @Column('boolean', { name: 'global_privacy_control' })
  readonly globalPrivacyControl!: boolean;

  @Column('timestamptz', { name: 'received_at' })
  readonly receivedAt!: Date;

  @Column('timestamptz', { name: 'due_at' })
  readonly dueAt!: Date;

  /** `null` while the request is open. */
  @Column('timestamptz', { name: 'done_at', nullable: true })
  readonly doneAt!: Date | null;
}

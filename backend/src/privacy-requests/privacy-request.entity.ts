import type { PrivacyRequestKind, PrivacyRequest as Request } from '@daybook/contract/api';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A request from a privacy page, stored with `PRIVACY_REQUESTS=record`. */
@Entity()
export class PrivacyRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  /** Random reference number for visitor and operator. */
  @Column('text')
  readonly reference!: string;

  @Column('text')
  readonly kind!: PrivacyRequestKind;

  /** Normalized; not verified to be the visitor's. */
  @Column('text')
  readonly email!: string;

  /** The form's other fields. */
  @Column('jsonb')
  readonly fields!: Request['fields'];

  /** The release that the visitor saw. */
  @Column('text', { name: 'page_version' })
  readonly pageVersion!: string;

  /** Whether the browser sent `Sec-GPC: 1`. */
  @Column('boolean', { name: 'global_privacy_control' })
  readonly globalPrivacyControl!: boolean;

  @Column('timestamptz', { name: 'received_at' })
  readonly receivedAt!: Date;

  /** Time by which the request has to be processed. */
  @Column('timestamptz', { name: 'due_at' })
  readonly dueAt!: Date;

  /** `null` while the request is open. */
  @Column('timestamptz', { name: 'done_at', nullable: true })
  readonly doneAt!: Date | null;
}

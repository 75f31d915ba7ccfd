import type { PrivacyRequestKind, PrivacyRequest as Request } from '@daybook/contract';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What a visitor asked for on a privacy page, where requests are recorded. */
@Entity()
export class PrivacyRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  readonly id!: number;

  /** How visitor and operator name it; random. */
  @Column('text')
  readonly reference!: string;

  /** The page's own name for it: the same key is the same request. */
  @Column('uuid', { name: 'idempotency_key' })
  readonly idempotencyKey!: string;

  @Column('text')
  readonly kind!: PrivacyRequestKind;

  /** Normalised; nobody checked that it is the visitor's. */
  @Column('text')
  readonly email!: string;

  /** What the form asks beside the address. */
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

  /** By when it has to be processed. */
  @Column('timestamptz', { name: 'due_at' })
  readonly dueAt!: Date;

  /** Null while it is open. */
  @Column('timestamptz', { name: 'done_at', nullable: true })
  readonly doneAt!: Date | null;
}

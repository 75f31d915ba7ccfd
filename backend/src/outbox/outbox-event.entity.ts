import type { EventType } from '@daybook/contract/events';
import { Column, Entity, type FindOptionsWhere, PrimaryColumn } from 'typeorm';
import { sameEmail } from '../database/index.ts';

export type EventStatus = 'pending' | 'delivered' | 'dead';

/** An event for the mail system, with its delivery status. Times are the database's. */
@Entity()
export class OutboxEvent {
  /** UUIDv7: ids sort by the time of the event. */
  @PrimaryColumn('uuid', { default: () => 'uuidv7()' })
  readonly id!: string;

  @Column('text')
  readonly type!: EventType;

  @Column('jsonb')
  readonly data!: Readonly<Record<string, unknown>>;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('text', { default: 'pending' })
  readonly status!: EventStatus;

  /** A pending event is due from this time on. While a worker attempts it, the time at which others may. */
  @Column('timestamptz', { name: 'next_attempt_at', default: () => 'now()' })
  readonly nextAttemptAt!: Date;

  /** Attempts that ended, since the last replay. */
  @Column('integer', { default: 0 })
  readonly attempts!: number;

  @Column('text', { name: 'last_error', nullable: true })
  readonly lastError!: string | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  readonly endedAt!: Date | null;
}

/** What a worker needs of an event that it may attempt. */
export type ClaimedEvent = Pick<OutboxEvent, 'id' | 'type' | 'data' | 'createdAt' | 'attempts'>;

/** Returns a condition for the events of an email in any spelling. */
export const ofEmail = (email: string): FindOptionsWhere<OutboxEvent> => ({
  // With the space: TypeORM would not recognize the column without it.
  data: sameEmail(email, (data) => `${data} ->> 'email'`),
});

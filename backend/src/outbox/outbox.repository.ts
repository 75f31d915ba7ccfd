import { Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsWhere, IsNull, Raw, type Repository } from 'typeorm';
import type { OutboxState } from '../metrics.ts';
import { hasStatus, OutboxEvent } from './outbox-event.entity.ts';

const isDue = { ...hasStatus.pending, nextAttemptAt: Raw((column) => `${column} <= now()`) };

/** SQL: drops the address from a delivered deletion event. The mail system has it, so it is no longer needed here. */
const withoutDeletedAddress = `CASE WHEN type IN ('subscriber.expired', 'subscriber.forgotten') THEN data - 'email' ELSE data END`;

type Changes = Parameters<Repository<OutboxEvent>['update']>[1];

/** Reads the outbox's events and records the results of their delivery. */
@Injectable()
export class OutboxRepository {
  private readonly events: Repository<OutboxEvent>;

  constructor(dataSource: DataSource) {
    this.events = dataSource.getRepository(OutboxEvent);
  }

  /** Returns the ids of due events, the oldest due time first. */
  async due(limit: number): Promise<string[]> {
    const order = { nextAttemptAt: 'ASC' } as const;
    const due = await this.events.find({ select: { id: true }, where: isDue, order, take: limit });
    return due.map(({ id }) => id);
  }

  /** Returns an event; `null` if it is not due: delivered, dead, or waiting for its next attempt. */
  findDue(id: string): Promise<OutboxEvent | null> {
    return this.events.findOneBy({ id, ...isDue });
  }

  /** Counts the pending events, and returns the age of the oldest. */
  async state(): Promise<OutboxState> {
    const state = await this.events
      .createQueryBuilder()
      .select('count(*)::integer', 'depth')
      .addSelect('COALESCE(EXTRACT(epoch FROM now() - min(created_at)), 0)::float8', 'oldestAge')
      .where(hasStatus.pending)
      .getRawOne<OutboxState>();
    return state as OutboxState;
  }

  recordDelivery(id: string): Promise<void> {
    // Accepts dead events too: an attempt may succeed after the timeout of its job.
    return this.record(
      id,
      { deliveredAt: () => 'now()', deadAt: null, lastError: null, data: () => withoutDeletedAddress },
      { deliveredAt: IsNull() },
    );
  }

  /** @param delay until the next attempt, in ms */
  recordFailure(id: string, lastError: string, delay: number): Promise<void> {
    return this.record(id, { nextAttemptAt: () => `now() + ${Math.ceil(delay)} * interval '1 ms'`, lastError });
  }

  recordDeath(id: string, lastError: string): Promise<void> {
    return this.record(id, { deadAt: () => 'now()', lastError });
  }

  /** Makes dead events due again, with the same ids and three more days of retries. Returns the replayed ids. */
  async replay(where: FindOptionsWhere<OutboxEvent>): Promise<readonly string[]> {
    const changes: Changes = { deadAt: null, firstAttemptAt: null, nextAttemptAt: () => 'now()' };
    const { raw } = await this.events.update({ ...where, ...hasStatus.dead }, changes, { returning: 'id' });
    return (raw as readonly { readonly id: string }[]).map(({ id }) => id);
  }

  private async record(id: string, changes: Changes, where = hasStatus.pending): Promise<void> {
    const attempt = { attempts: () => 'attempts + 1', firstAttemptAt: () => 'COALESCE(first_attempt_at, now())' };
    await this.events.update({ id, ...where }, { ...attempt, ...changes });
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource, type FindOptionsWhere, type Repository, type UpdateQueryBuilder } from 'typeorm';
import type { OutboxState } from '../metrics.ts';
import { hasStatus, OutboxEvent } from './outbox-event.entity.ts';

const isPending = 'delivered_at IS NULL AND dead_at IS NULL';
const isDue = `${isPending} AND next_attempt_at <= now()`;

/** Once the mail system knows which address to delete, nobody needs it here any more. */
const withoutDeletedAddress = `CASE WHEN type IN ('subscriber.expired', 'subscriber.forgotten') THEN data - 'email' ELSE data END`;

type Changes = Parameters<UpdateQueryBuilder<OutboxEvent>['set']>[0];

/** The events of the outbox, and the results of their delivery. */
@Injectable()
export class OutboxRepository {
  private readonly events: Repository<OutboxEvent>;

  constructor(dataSource: DataSource) {
    this.events = dataSource.getRepository(OutboxEvent);
  }

  /** The ids of what is due, longest waiting first. */
  async due(limit: number): Promise<string[]> {
    const query = this.events.createQueryBuilder('event').select('event.id').where(isDue);
    return (await query.orderBy('event.nextAttemptAt').limit(limit).getMany()).map(({ id }) => id);
  }

  /** An event; null where it is not due: delivered, dead, or waiting for its next attempt. */
  findDue(id: string): Promise<OutboxEvent | null> {
    return this.events.createQueryBuilder('event').where({ id }).andWhere(isDue).getOne();
  }

  /** How many events are pending, and the age of the oldest. */
  async state(): Promise<OutboxState> {
    const state = await this.events
      .createQueryBuilder()
      .select('count(*)::integer', 'depth')
      .addSelect('COALESCE(EXTRACT(epoch FROM now() - min(created_at)), 0)::float8', 'oldestAge')
      .where(isPending)
      .getRawOne<OutboxState>();
    return state as OutboxState;
  }

  recordDelivery(id: string): Promise<void> {
    // An attempt whose job was taken from it, because it took too long, may still end well: that counts.
    return this.record(
      id,
      { deliveredAt: () => 'now()', deadAt: null, lastError: null, data: () => withoutDeletedAddress },
      'delivered_at IS NULL',
    );
  }

  /** @param delay until the next attempt, in ms */
  recordFailure(id: string, lastError: string, delay: number): Promise<void> {
    return this.record(id, { nextAttemptAt: () => `now() + ${Math.ceil(delay)} * interval '1 ms'`, lastError });
  }

  recordDeath(id: string, lastError: string): Promise<void> {
    return this.record(id, { deadAt: () => 'now()', lastError });
  }

  /** Makes dead events due under the same ids, with three more days of attempts. Returns the ids of those that were. */
  async replay(where: FindOptionsWhere<OutboxEvent>): Promise<readonly string[]> {
    const changes: Changes = { deadAt: null, firstAttemptAt: null, nextAttemptAt: () => 'now()' };
    const update = this.events
      .createQueryBuilder()
      .update()
      .set(changes)
      .where({ ...where, ...hasStatus.dead });
    const { raw } = await update.returning('id').execute();
    return (raw as readonly { readonly id: string }[]).map(({ id }) => id);
  }

  private async record(id: string, changes: Changes, condition = isPending): Promise<void> {
    const attempt: Changes = {
      attempts: () => 'attempts + 1',
      firstAttemptAt: () => 'COALESCE(first_attempt_at, now())',
    };
    const update = this.events
      .createQueryBuilder()
      .update()
      .set({ ...attempt, ...changes });
    await update.where({ id }).andWhere(condition).execute();
  }
}

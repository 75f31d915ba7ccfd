import { Injectable } from '@nestjs/common';
import { OutboxRepository } from './outbox.repository.ts';

/** What an operator does with events. */
@Injectable()
export class OutboxService {
  constructor(private readonly outbox: OutboxRepository) {}

  /**
   * Delivers a dead event once more, under the same id: at once, and if need be again for three days.
   *
   * @returns whether there was a dead event with this id
   */
  replay(id: string): Promise<boolean> {
    return this.outbox.revive(id);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { WaitlistEntry } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { EntryIdSource } from './entry-id-source.ts';

/** Entries that are in no table, for programs that shall not notice; they take as long as the last real one. */
@Injectable()
export class DecoyEntries {
  /** How long the last signup took to be stored, in ms. */
  private usualTime = 2;

  constructor(private readonly ids: EntryIdSource) {}

  async make(email: string): Promise<WaitlistEntry> {
    await delay(this.usualTime);
    return { id: this.ids.next(), email };
  }

  /** Stores a real entry, and remembers how long that took. */
  async watch(store: () => Promise<WaitlistEntry>): Promise<WaitlistEntry> {
    const since = performance.now();
    const entry = await store();
    this.usualTime = performance.now() - since;
    return entry;
  }
}

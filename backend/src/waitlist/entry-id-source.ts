import { randomInt } from 'node:crypto';
import { waitlistEntryIdLimit } from '@daybook/contract';
import { Injectable } from '@nestjs/common';

/** Gives ids for new entries, at random: not to be guessed, and not telling how many signups there were. */
@Injectable()
export class EntryIdSource {
  next(): number {
    return randomInt(1, waitlistEntryIdLimit);
  }
}

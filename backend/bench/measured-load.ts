import type { RunningPostgres } from '@daybook/testing/postgres';
import type { Figure } from '../../bench/comparison.ts';
import { cpuSeconds, cpuSecondsWithChildren, residentMegabytes } from '../../bench/process-use.ts';
import type { Sample } from '../../bench/rounds.ts';
import { type Contestant, countStored } from './contestants.ts';
import { type LoadOptions, signUpVisitors } from './signup-load.ts';

/** What a load of signups tells of a server. */
export const signupFigures: readonly Figure[] = [
  { key: 'perSecond', title: 'signups per second', digits: 0, aim: { atLeast: 0.75 } },
  { key: 'p50', title: 'p50 in ms', digits: 2 },
  { key: 'p99', title: 'p99 in ms', digits: 2 },
  { key: 'serverCpu', title: 'CPU s of the server, per 1,000', digits: 3 },
  { key: 'databaseCpu', title: 'CPU s of PostgreSQL, per 1,000', digits: 3 },
  { key: 'memory', title: 'memory of the server in MB', digits: 0 },
];

/** Loads contestants on one PostgreSQL server, and checks in the end that what they acknowledged is stored. */
export class MeasuredLoad {
  readonly #acknowledged = new Map<Contestant, number>();
  readonly #postmaster: number;

  constructor({ pid }: RunningPostgres) {
    this.#postmaster = pid;
  }

  /** Puts load on a contestant, alone; gives what `signupFigures` names, as far as this machine tells it. */
  async measure(contestant: Contestant, options: Omit<LoadOptions, 'address'>): Promise<Sample> {
    const use = () => [cpuSeconds(contestant.pid), cpuSecondsWithChildren(this.#postmaster)] as const;
    const before = use();
    const { signups, perSecond, p50, p99 } = await signUpVisitors({ ...options, address: contestant.address });
    const after = use();
    this.#acknowledged.set(contestant, signups + (this.#acknowledged.get(contestant) ?? 0));
    const perThousand = (index: 0 | 1) => {
      const [from, to] = [before[index], after[index]];
      return from === undefined || to === undefined ? undefined : ((to - from) / signups) * 1000;
    };
    const machineFigures = {
      serverCpu: perThousand(0),
      databaseCpu: perThousand(1),
      memory: residentMegabytes(contestant.pid),
    };
    const known = Object.entries(machineFigures).filter((entry): entry is [string, number] => entry[1] !== undefined);
    return { perSecond, p50, p99, ...Object.fromEntries(known) };
  }

  /** How many signups were acknowledged in all. @throws Error where one of them is not in the database */
  async confirm(): Promise<number> {
    let total = 0;
    for (const [contestant, acknowledged] of this.#acknowledged) {
      const stored = await countStored(contestant);
      if (stored < acknowledged)
        throw new Error(`“${contestant.name}” acknowledged ${acknowledged} signups and stored ${stored}.`);
      total += acknowledged;
    }
    return total;
  }
}

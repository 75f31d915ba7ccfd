import type { RunningPostgres } from '@daybook/testing/postgres';
import type { Report } from '../../bench/report/publish.ts';

/** How much is measured. */
export interface Effort {
  readonly rounds: number;
  /** Of load, for each contestant and round. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Numbers of connections under which servers are compared. */
  readonly connections: readonly number[];
  /** Length of the memory run. */
  readonly minutes: number;
  /** Subscribers that are there before. */
  readonly subscribers: number;
}

export interface PartContext {
  /** Without any database of ours yet. */
  readonly postgres: RunningPostgres;
  /** For logs of servers; removed in the end. */
  readonly folder: string;
  readonly effort: Effort;
  /** Gets a line about progress. */
  readonly report: (line: string) => void;
}

/** Measures something, and tells of it. */
export type BenchPart = (context: PartContext) => Promise<Report>;

import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Report, SharedCount } from './sliding-counts.ts';

/** Rows in one order for every backend, so that no two of them wait for each other. */
const addCounts = `
  WITH counted AS (
    INSERT INTO request_count AS known (minute, key, count)
    SELECT * FROM unnest($1::integer[], $2::text[], $3::integer[]) ORDER BY 1, 2
    ON CONFLICT (minute, key) DO UPDATE SET count = known.count + excluded.count
    RETURNING minute, key, count
  )
  SELECT counted.minute, counted.key, counted.count, COALESCE(earlier.count, 0) AS before
  FROM counted LEFT JOIN request_count earlier ON earlier.minute = counted.minute - 1 AND earlier.key = counted.key
`;

const useUp = 'INSERT INTO request_count (minute, key, count) VALUES ($1, $2, 1) ON CONFLICT DO NOTHING RETURNING key';

const removeCounts = 'DELETE FROM request_count WHERE minute < $1';

/** The table in which all backends add up what they count. */
@Injectable()
export class CountTable {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds counts to those of the others, in one round trip; gives what there is of each now. */
  add(report: readonly Report[]): Promise<SharedCount[]> {
    const columns = [
      report.map(({ minute }) => minute),
      report.map(({ key }) => key),
      report.map(({ count }) => count),
    ];
    return this.dataSource.query<SharedCount[]>(addCounts, columns);
  }

  /** Whether something is used for the first time, by any backend; it is remembered until after the given minute. */
  async useUp(minute: number, key: string): Promise<boolean> {
    return (await this.dataSource.query<object[]>(useUp, [minute, key])).length === 1;
  }

  /** Forgets what happened before a minute, in minutes since the epoch. */
  async forgetBefore(minute: number): Promise<void> {
    await this.dataSource.query(removeCounts, [minute]);
  }
}

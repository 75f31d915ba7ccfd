import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** How the connections of the pool are used at this moment. */
export function poolUse({ driver }: DataSource) {
  const { totalCount, idleCount, waitingCount } = (driver as unknown as { master: Pool }).master;
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

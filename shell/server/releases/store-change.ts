import type { State } from '@daybook/contract/release';
import type { StoredManifest } from './site.ts';

/** The last of each remote are read. */
export const rowsOfRemote = 500;

const siteLock = 4_502_645;

export const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
export const stateColumns = `remote, number, action, active, canary, percent, held_by AS "heldBy",
  held_by_operator AS "heldByOperator", by, why, ${isoTime('at')} AS at`;

export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface NewBlob {
  readonly hash: string;
  readonly content: Buffer;
}

/** What a change reads and writes within its transaction. All methods throw StoreError. */
export class StoreChange {
  readonly query: Query;

  constructor(query: Query) {
    this.query = query;
  }

  /** Waits until no other change is in progress; returns the states of all remotes. */
  async lock(): Promise<ReadonlyMap<string, State>> {
    await this.query(`SELECT pg_advisory_xact_lock(${siteLock})`);
    const rows = await this.query<State>(
      `SELECT DISTINCT ON (remote) ${stateColumns} FROM releases.state ORDER BY remote, number DESC`,
    );
    return new Map(rows.map((row) => [row.remote, row]));
  }

  async rows(remote: string): Promise<State[]> {
    const rows = await this.query<State>(
      `SELECT ${stateColumns} FROM releases.state WHERE remote = $1 ORDER BY number DESC LIMIT ${rowsOfRemote}`,
      [remote],
    );
    return rows.reverse();
  }

  async wasGiven(remote: string, version: string, asCanary: boolean): Promise<boolean> {
    const [{ found } = { found: false }] = await this.query<{ found: boolean }>(
      `SELECT EXISTS (
         SELECT FROM releases.state WHERE remote = $1 AND $2 IN (active, ${asCanary ? 'canary' : 'active'})
       ) AS found`,
      [remote, version],
    );
    return found;
  }

  async manifest(remote: string, version: string): Promise<StoredManifest | undefined> {
    const [found] = await this.query<StoredManifest>(
      `SELECT remote, version, manifest, ${isoTime('stored_at')} AS "storedAt" FROM releases.release
       WHERE remote = $1 AND version = $2`,
      [remote, version],
    );
    return found;
  }

  async storedOf(remote: string, versions: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ version: string }>(
      'SELECT version FROM releases.release WHERE remote = $1 AND version = ANY ($2)',
      [remote, versions],
    );
    return new Set(rows.map(({ version }) => version));
  }

  async storedSince(remote: string, at: string): Promise<readonly string[]> {
    const rows = await this.query<{ version: string }>(
      'SELECT version FROM releases.release WHERE remote = $1 AND stored_at > $2 ORDER BY stored_at',
      [remote, at],
    );
    return rows.map(({ version }) => version);
  }

  /** Returns false if the version is stored already. */
  async insertRelease(release: Omit<StoredManifest, 'storedAt'>, blobs: readonly NewBlob[]): Promise<boolean> {
    // In one order, against deadlocks.
    const hashes = blobs.map(({ hash }) => hash).sort();
    const stored = await this.query<{ hash: string }>('SELECT hash FROM releases.blob WHERE hash = ANY ($1)', [hashes]);
    const known = new Set(stored.map(({ hash }) => hash));
    const contents = new Map(blobs.map(({ hash, content }) => [hash, content]));
    for (const hash of hashes)
      if (!known.has(hash))
        await this.query('INSERT INTO releases.blob VALUES ($1, $2) ON CONFLICT DO NOTHING', [
          hash,
          contents.get(hash),
        ]);
    const { remote, version, manifest } = release;
    const inserted = await this.query(
      `INSERT INTO releases.release (remote, version, manifest) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING version`,
      [remote, version, manifest],
    );
    if (inserted.length === 0) return false;
    await this.query('INSERT INTO releases.file SELECT $1, $2, unnest($3::text[])', [remote, version, hashes]);
    return true;
  }

  async insertState(state: Omit<State, 'at'>, time?: string): Promise<State> {
    const { remote, number, action, active, canary, percent, heldBy, heldByOperator, by, why } = state;
    const [made] = await this.query<State>(
      `INSERT INTO releases.state
         (remote, number, action, active, canary, percent, held_by, held_by_operator, by, why, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11::timestamptz, clock_timestamp()))
       RETURNING ${stateColumns}`,
      [remote, number, action, active, canary, percent, heldBy, heldByOperator, by, why, time],
    );
    return made as State;
  }
}

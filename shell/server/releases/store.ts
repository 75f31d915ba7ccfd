import { setTimeout as delay } from 'node:timers/promises';
import type { State } from '@daybook/contract/release';
import { databaseStateOf } from '@daybook/server';
import pg from 'pg';
import { type SiteContent, type StoredManifest, shellName } from './site.ts';
import { isoTime, type NewBlob, type Query, rowsOfRemote, StoreChange, stateColumns } from './store-change.ts';

/** A change may have been made nevertheless. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(cause: unknown) {
    const { message, code } = cause as NodeJS.ErrnoException;
    const database = databaseStateOf(cause);
    const reason = `${database ? `the database ${database.state}: ` : ''}${message || code}.`;
    super(`Releases can't be read or changed: ${reason}${database ? ` ${database.remedy}` : ''}`, { cause });
  }
}

/** In ms. */
const connectionTimeout = 5_000;
const queryTimeout = 15_000;
const pollTimeout = 3_000;
/** A paused server must not keep the lock of the site. */
const idleTimeout = 5_000;

const rowsOfLog = 1_000;

/** Changes with any state or release. */
const markStatement = `SELECT
  (SELECT string_agg(remote || ' ' || last || ' ' || at, ',' ORDER BY remote)
   FROM (SELECT remote, max(number) AS last, max(at) AS at FROM releases.state GROUP BY remote) AS states) AS states,
  (SELECT md5(string_agg(remote || version || stored_at, ',' ORDER BY remote, version)) FROM releases.release) AS releases`;

/** The releases of a site in PostgreSQL, with the role `shell`. All methods throw StoreError. */
export class Store {
  readonly #pool: pg.Pool;
  /** Apart, so that uploads don't delay the poll. */
  readonly #transactions: pg.Pool;
  #mark = '';
  #content: SiteContent | undefined;

  constructor(url: string) {
    const options = {
      connectionString: url,
      query_timeout: queryTimeout,
      keepAlive: true,
      application_name: 'daybook-shell',
    };
    this.#pool = new pg.Pool({ ...options, max: 3, connectionTimeoutMillis: connectionTimeout });
    this.#transactions = new pg.Pool({ ...options, max: 2, connectionTimeoutMillis: 2 * queryTimeout });
    // Only errors of idle connections come here; the next query reports them.
    for (const pool of [this.#pool, this.#transactions]) pool.on('error', ignore);
  }

  /** Returns the same object as long as nothing has changed. */
  async read(known: readonly StoredManifest[] = []): Promise<SiteContent> {
    const [marks] = await this.#query(markStatement, [], pollTimeout);
    const mark = JSON.stringify(marks);
    if (this.#content && mark === this.#mark) return this.#content;
    const rows = await this.#query<State>(
      `SELECT ${stateColumns} FROM (
         SELECT *, row_number() OVER (PARTITION BY remote ORDER BY number DESC) AS age FROM releases.state
       ) AS state WHERE age <= ${rowsOfRemote} ORDER BY remote, number`,
    );
    const listed = await this.#query<Omit<StoredManifest, 'manifest'>>(
      `SELECT remote, version, ${isoTime('stored_at')} AS "storedAt" FROM releases.release`,
    );
    const keyOf = ({ remote, version, storedAt }: Omit<StoredManifest, 'manifest'>) =>
      `${remote}@${version} ${storedAt}`;
    const before = new Map(known.map((each) => [keyOf(each), each]));
    const missing = listed.filter((each) => !before.has(keyOf(each)));
    const read = await this.#query<StoredManifest>(
      `SELECT remote, version, manifest, ${isoTime('stored_at')} AS "storedAt" FROM releases.release
       WHERE (remote, version) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
      [missing.map(({ remote }) => remote), missing.map(({ version }) => version)],
    );
    const all = new Map([...before, ...read.map((each) => [keyOf(each), each] as const)]);
    // What changed between these statements changes the mark, too.
    this.#content = { rows, releases: listed.flatMap((each) => all.get(keyOf(each)) ?? []) };
    this.#mark = mark;
    return this.#content;
  }

  log(remotes: readonly string[]): Promise<State[]> {
    return this.#query(
      `SELECT ${stateColumns} FROM releases.state WHERE remote = ANY ($1)
       ORDER BY state.at DESC, number DESC LIMIT ${rowsOfLog}`,
      [remotes],
    );
  }

  async blob(hash: string): Promise<Buffer | undefined> {
    const [found] = await this.#query<{ content: Buffer }>('SELECT content FROM releases.blob WHERE hash = $1', [hash]);
    return found?.content;
  }

  async storeShell(version: string, manifest: string, blobs: readonly NewBlob[], retained: number): Promise<void> {
    await this.change((change) => change.insertRelease({ remote: shellName, version, manifest }, blobs));
    await this.removeOld(shellName, retained, async () => [version]);
  }

  async change<Result>(run: (change: StoreChange) => Promise<Result>): Promise<Result> {
    const client = await this.#transactions.connect().catch(fail);
    client.on('error', ignore);
    const query: Query = async (text, values = []) => (await client.query(text, [...values]).catch(fail)).rows;
    try {
      // Not a setting of the session, which a pooler rejects.
      await query(
        `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeout}`,
      );
      const result = await run(new StoreChange(query));
      await query('COMMIT');
      client.off('error', ignore);
      client.release();
      return result;
    } catch (error) {
      // The pool closes the connection, which rolls back.
      client.release(error as Error);
      throw error;
    }
  }

  /** Removes old releases of a remote, and blobs without one; retains what its state and `neededOf` name. */
  async removeOld(
    remote: string,
    count: number,
    neededOf: (change: StoreChange) => Promise<readonly string[]>,
  ): Promise<void> {
    await this.change(async (change) => {
      await change.lock();
      const needed = await neededOf(change);
      await change.query(
        `DELETE FROM releases.release WHERE remote = $1 AND version <> ALL ($3)
         AND version NOT IN (SELECT version FROM releases.release WHERE remote = $1 ORDER BY stored_at DESC LIMIT $2)
         AND NOT EXISTS (
           SELECT FROM releases.state AS state WHERE state.remote = $1 AND release.version IN (active, canary)
           AND number = (SELECT max(number) FROM releases.state WHERE remote = $1)
         )`,
        [remote, count, needed],
      );
    });
    // Fails while a release with one of them is being stored; the next time removes it.
    await this.#query(
      'DELETE FROM releases.blob WHERE NOT EXISTS (SELECT FROM releases.file WHERE file.hash = blob.hash)',
    );
  }

  async close(): Promise<void> {
    const ended = Promise.all([this.#pool.end(), this.#transactions.end()]);
    await Promise.race([ended, delay(2_000, undefined, { ref: false })]);
  }

  async #query<Row extends object>(
    text: string,
    values: readonly unknown[] = [],
    timeout = queryTimeout,
  ): Promise<Row[]> {
    const query = { text, values: [...values], query_timeout: timeout };
    return (await this.#pool.query<Row>(query).catch(fail)).rows;
  }
}

const ignore = () => undefined;

function fail(error: unknown): never {
  throw new StoreError(error);
}

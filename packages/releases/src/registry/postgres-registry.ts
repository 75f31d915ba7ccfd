import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  conflictOf,
  maxAttempts,
  type NewRelease,
  type NotDeployed,
  needsRelease,
  RegistryError,
  type RegistryRead,
  type ReleaseRegistry,
  type StoredManifest,
} from './release-registry.ts';
import type { Deployment, NewDeployment } from './remote-state.ts';

/** In ms. A server that accepts connections and never responds, such as a stopped one, must count as unreachable. */
const connectionTimeout = 5_000;
const queryTimeout = 15_000;
/** Of the poll, which is small and frequent. */
const readTimeout = 3_000;
/** Deployments that one statement reads: a log of any length is read within the time of a statement. */
const deploymentsPerRead = 5_000;
/**
 * Of a transaction between two statements, after which PostgreSQL ends it: a paused server must not keep the locks of the
 * release that it was storing or removing, for which all others wait.
 */
const idleTimeout = 5_000;
/** Of ending connections: a server that is stopped must not wait for a database that does not respond. */
const closeTimeout = 2_000;

/**
 * A replica polls and fetches a release of each remote by some, and stores releases by others: no number of uploads at once
 * delays the poll, or a rollback. More only wait.
 */
const maxConnections = 3;
const maxTransactions = 2;
/** For a transaction of one of them. */
const transactionWait = 30_000;

/** Of a column: ISO 8601, and ms since the epoch. */
export const isoTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** A deployment as JSON, without columns that are null. */
const deploymentJson = `jsonb_strip_nulls(jsonb_build_object('at', ${isoTime('at')}, 'remote', remote, 'number', number,
  'action', action, 'version', version, 'audience', audience, 'percent', percent, 'tokenHash', token_hash,
  'endsAt', ${isoTime('ends_at')}, 'left', left_version, 'why', why, 'by', by))`;

/** One statement, so that the state is that of one moment, and a poll is one round trip unless many deployments are new. */
const readStatement = `
  SELECT
    (
      SELECT coalesce(json_agg(${deploymentJson} ORDER BY remote, number), '[]')
      FROM (
        SELECT deployment.* FROM releases.deployment
        LEFT JOIN unnest($1::text[], $2::integer[]) AS known (remote, last) USING (remote)
        WHERE number >= coalesce(last, 0) AND (remote, number) > ($3, $4)
        ORDER BY remote, number LIMIT ${deploymentsPerRead}
      ) AS next
    ) AS deployments,
    (
      SELECT coalesce(
        json_agg(json_build_object('remote', remote, 'version', version, 'storedAt', ${milliseconds('stored_at')})), '[]'
      )
      FROM releases.release
    ) AS releases`;

/** The registry in the schema `releases` of PostgreSQL, with the role `shell`. */
export class PostgresRegistry implements ReleaseRegistry {
  readonly #pool: pg.Pool;
  readonly #transactions: pg.Pool;

  /** @param url `postgres://` URL with name and password; connects at the first use */
  constructor(url: string) {
    const options = {
      connectionString: url,
      query_timeout: queryTimeout,
      keepAlive: true,
      application_name: 'daybook-shell',
    };
    this.#pool = new pg.Pool({ ...options, max: maxConnections, connectionTimeoutMillis: connectionTimeout });
    this.#transactions = new pg.Pool({ ...options, max: maxTransactions, connectionTimeoutMillis: transactionWait });
    // Of idle connections; the next query reports it.
    for (const pool of [this.#pool, this.#transactions]) pool.on('error', ignore);
  }

  async read(known: ReadonlyMap<string, number>): Promise<RegistryRead> {
    const deployments: Deployment[] = [];
    for (;;) {
      const { remote = '', number = 0 } = deployments.at(-1) ?? {};
      const values = [[...known.keys()], [...known.values()], remote, number];
      const query = { text: readStatement, values, query_timeout: readTimeout };
      const { rows } = await this.#pool.query<RegistryRead>(query).catch(fail);
      const [read] = rows;
      if (!read) throw new Error('A SELECT without FROM has one row.');
      deployments.push(...read.deployments);
      if (read.deployments.length < deploymentsPerRead) return { ...read, deployments };
    }
  }

  async readManifest(remote: string, version: string): Promise<StoredManifest | undefined> {
    const text = 'SELECT manifest, pages FROM releases.release WHERE remote = $1 AND version = $2';
    const [found] = await this.query<StoredManifest>(text, [remote, version]);
    return found;
  }

  async readFile(remote: string, version: string, name: string): Promise<Buffer | undefined> {
    const text = 'SELECT content FROM releases.release_file WHERE remote = $1 AND version = $2 AND name = $3';
    const [found] = await this.query<{ content: Buffer }>(text, [remote, version, name]);
    return found?.content;
  }

  async store(
    release: NewRelease,
    files: readonly string[],
    contentOf: (name: string) => Promise<Buffer>,
  ): Promise<boolean> {
    return this.#inTransaction((query) => insertRelease(query, release, files, contentOf));
  }

  async publish(
    release: NewRelease,
    files: readonly string[],
    contentOf: (name: string) => Promise<Buffer>,
    decide: () => Promise<NewDeployment | NotDeployed>,
  ): Promise<Deployment | NotDeployed> {
    return this.#inTransaction(async (query) => {
      if (!(await insertRelease(query, release, files, contentOf))) throw conflictOf(release.remote);
      // Last, and again within the transaction: a rollback must not wait for the files, nor the files for a rollback.
      for (let attempt = 1; ; attempt += 1) {
        const decided = await decide();
        if (typeof decided === 'string') return decided;
        const made = await insertDeployment(query, decided);
        if (made) return made;
        if (attempt === maxAttempts) throw conflictOf(release.remote);
      }
    });
  }

  async restate({ remote, version, manifest, signature }: Parameters<ReleaseRegistry['restate']>[0]): Promise<void> {
    // As of now: the other servers read a release again if it was stored at another time.
    const text =
      'UPDATE releases.release SET manifest = $3, signature = $4, stored_at = now() WHERE remote = $1 AND version = $2';
    await this.query(text, [remote, version, manifest, signature]);
  }

  async touch(remote: string, version: string): Promise<void> {
    await this.query('UPDATE releases.release SET stored_at = now() WHERE remote = $1 AND version = $2', [
      remote,
      version,
    ]);
  }

  async remove(remote: string, versions: readonly string[], number: number): Promise<void> {
    await this.#inTransaction(async (query) => {
      // `append` locks the release that it needs: a deployment is either seen below, or fails without its release.
      const lock = 'SELECT FROM releases.release WHERE remote = $1 AND version = ANY ($2) FOR UPDATE';
      await query(lock, [remote, versions]);
      await query(
        `DELETE FROM releases.release WHERE remote = $1 AND version = ANY ($2)
         AND $3 = (SELECT coalesce(max(number), 0) FROM releases.deployment WHERE remote = $1)`,
        [remote, versions, number],
      );
    });
  }

  async append(deployment: NewDeployment): Promise<Deployment> {
    const made = await insertDeployment((text, values) => this.query(text, values), deployment);
    if (!made) throw conflictOf(deployment.remote);
    return made;
  }

  async close(): Promise<void> {
    const ended = Promise.all([this.#pool.end(), this.#transactions.end()]);
    await Promise.race([ended, delay(closeTimeout, undefined, { ref: false })]);
  }

  /** Runs a statement; throws RegistryError. */
  protected async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#pool.query<Row>(text, [...values]).catch(fail);
    return rows;
  }

  async #inTransaction<Result>(run: (query: Query) => Promise<Result>): Promise<Result> {
    const client = await this.#transactions.connect().catch(fail);
    // A connection that ends between two queries; the next query fails.
    client.on('error', ignore);
    const query = async (text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values]).catch(fail)).rows;
    try {
      // Not a setting of the session, which a pooler rejects.
      await query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeout}`);
      const result = await run(query);
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
}

type Query = (text: string, values?: readonly unknown[]) => Promise<object[]>;

/** Returns `false` if there is a release of this version already. */
async function insertRelease(
  query: Query,
  { remote, version, manifest, signature, pages }: NewRelease,
  files: readonly string[],
  contentOf: (name: string) => Promise<Buffer>,
): Promise<boolean> {
  const stored = await query(
    `INSERT INTO releases.release (remote, version, manifest, signature, pages) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING version`,
    [remote, version, manifest, signature, JSON.stringify(pages)],
  );
  if (stored.length === 0) return false;
  const insertFile = 'INSERT INTO releases.release_file (remote, version, name, content) VALUES ($1, $2, $3, $4)';
  for (const name of files) await query(insertFile, [remote, version, name, await contentOf(name)]);
  return true;
}

/** Returns `undefined` if the remote has a deployment of this number already, or no longer the release. */
async function insertDeployment(query: Query, deployment: NewDeployment): Promise<Deployment | undefined> {
  const { remote, number, action, version, audience, percent, tokenHash, endsAt, left, why, by } = deployment;
  const stored = 'FROM (SELECT FROM releases.release WHERE remote = $1 AND version = $4 FOR KEY SHARE) AS stored';
  // Only after its predecessor: a restored database may lack deployments that this replica knows.
  const text = `
    INSERT INTO releases.deployment
      (remote, number, action, version, audience, percent, token_hash, ends_at, left_version, why, by)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 ${needsRelease(deployment) ? stored : ''}
    WHERE $2 = 1 + (SELECT coalesce(max(number), 0) FROM releases.deployment WHERE remote = $1)
    ON CONFLICT DO NOTHING
    RETURNING ${deploymentJson} AS deployment`;
  const values = [remote, number, action, version, audience, percent, tokenHash, endsAt, left, why, by];
  const [made] = (await query(text, values)) as readonly { readonly deployment: Deployment }[];
  return made?.deployment;
}

const ignore = () => undefined;

function fail(error: unknown): never {
  throw new RegistryError(error);
}

import { databaseStateOf } from '@daybook/server';
import pg from 'pg';

/** Time in ms for which a call waits for a server that accepts no connections: it restarts within. */
const outageTimeout = 4_000;
/** Interval of connection attempts during an outage, in ms; of all waiting calls together. */
const retryInterval = 100;
/** Max calls that wait; more fail at once. Each of them holds a request of some 20 kB. */
const maxWaiting = 1_000;

export type PoolOptions = pg.PoolConfig & {
  /** Called with the first error of an outage, and with `undefined` when a connection could be made again. */
  readonly onOutage?: (error: Error | undefined) => void;
  /** Called once if a pooler rejects the parameters of sessions. */
  readonly onPooler?: (error: Error) => void;
  /** Returns the present URL of the database; called when the password is rejected, which may have been rotated. */
  readonly readUrl?: () => string | undefined;
};

/** No connection of the pool became free: it is busy, not down. */
const isBusy = (error: unknown) => (error as Error).message === 'timeout exceeded when trying to connect';

const wrongPassword = '28P01';

const isUnsupportedParameter = (error: unknown): error is Error =>
  (error as Error).message.startsWith('unsupported startup parameter');

type Callback = Parameters<pg.Pool['connect']>[0];

/**
 * A pool whose `connect` waits for a server that accepts no connections, such as one that restarts. Only this is retried:
 * no statement was sent yet, so nothing happens twice. A statement whose connection breaks fails.
 *
 * While calls wait, one of them tries: a thousand that retry on their own would keep the processor busy, and the server,
 * too, when it starts.
 */
export class ConnectionPool extends pg.Pool {
  private outage: Promise<void> | undefined;
  /** Why no connection can be made; `undefined` if the last attempt succeeded. */
  error: Error | undefined;
  private waiting = 0;
  /** Whether sessions can have prepared statements. */
  private prepares = true;

  private readonly settings: PoolOptions;

  constructor(settings: PoolOptions = {}) {
    super(settings);
    this.settings = settings;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connection = this.connectOrWait();
    if (!callback) return connection;
    connection.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  /**
   * Runs a statement that is prepared under a name: PostgreSQL parses it once per connection and soon reuses a generic
   * plan, which saves a third of its CPU time (docs/performance.md). TypeORM cannot name statements.
   *
   * @throws the driver's error
   */
  prepared(name: string, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.query({ ...(this.prepares && { name }), text, values: [...values] });
  }

  private async connectOrWait(): Promise<pg.PoolClient> {
    const deadline = performance.now() + outageTimeout;
    let hasReadUrl = false;
    // Of another call; idle connections still work if there are too many connections to the server.
    if (this.outage && this.idleCount === 0 && this.waiting < maxWaiting) await this.waitUntil(deadline);
    for (;;) {
      try {
        const client = await super.connect();
        if (this.error) this.report(undefined);
        return client;
      } catch (error) {
        if (this.hasLeftOutParameters(error)) continue;
        if ((error as pg.DatabaseError).code === wrongPassword && !hasReadUrl) {
          hasReadUrl = true;
          this.options.connectionString = this.settings.readUrl?.() ?? this.options.connectionString;
          continue;
        }
        const isOutage = this.outage !== undefined || (databaseStateOf(error)?.isTemporary === true && !isBusy(error));
        if (isOutage && !this.error) this.report(error as Error);
        if (!isOutage || this.waiting >= maxWaiting || performance.now() >= deadline) throw error;
      }
      await this.waitUntil(deadline);
    }
  }

  private report(error: Error | undefined): void {
    this.error = error;
    this.settings.onOutage?.(error);
  }

  /** Waits until a connection could be made, at most until the deadline. */
  private async waitUntil(deadline: number): Promise<void> {
    this.waiting += 1;
    this.outage ??= this.retry().finally(() => {
      this.outage = undefined;
    });
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, deadline - performance.now());
    await Promise.race([this.outage, timeout.promise]);
    clearTimeout(timer);
    this.waiting -= 1;
  }

  /** Resolves when a connection could be made, failed for another reason, or no call waits any more. Never rejects. */
  private async retry(): Promise<void> {
    while (this.waiting > 0) {
      await new Promise((resolve) => setTimeout(resolve, retryInterval));
      try {
        (await super.connect()).release();
        return;
      } catch (error) {
        if (!databaseStateOf(error)?.isTemporary) return;
      }
    }
  }

  /**
   * Poolers such as PgBouncer reject parameters that they would have to set again whenever a session gets another
   * connection. Such a session has no prepared statements either (docs/scaling.md#a-pooler).
   */
  private hasLeftOutParameters(error: unknown): boolean {
    const options: PoolOptions = this.options;
    if (!isUnsupportedParameter(error) || options.statement_timeout === undefined) return false;
    delete options.statement_timeout;
    this.prepares = false;
    options.onPooler?.(error);
    return true;
  }
}

import { databaseStateOf } from '@daybook/server';
import pg from 'pg';

/** Time in ms for which a call waits for a server that accepts no connections: it restarts within. */
const outageTimeout = 4_000;
/** Interval of connection attempts during an outage, in ms; of all waiting calls together. */
const retryInterval = 100;

export type PoolOptions = pg.PoolConfig & {
  /** Called with the first error of an outage, and with `undefined` when it has ended. */
  readonly onOutage?: (error: Error | undefined) => void;
  /** Called once if a pooler rejects the parameters of sessions. */
  readonly onPooler?: (error: Error) => void;
  /** Returns the present URL of the database; called when the password is rejected, which may have been rotated. */
  readonly readUrl?: () => string | undefined;
};

/** Not if no connection of the pool became free: then it is busy. */
const isOutage = (error: Error) =>
  databaseStateOf(error)?.isTemporary === true && error.message !== 'timeout exceeded when trying to connect';

const wrongPassword = '28P01';

type Callback = Parameters<pg.Pool['connect']>[0];

/**
 * A pool whose `connect` waits for a server that accepts no connections, such as one that restarts. Only this is retried:
 * no statement was sent yet, so nothing happens twice.
 */
export class ConnectionPool extends pg.Pool {
  /** Why no connection can be made; `undefined` if the last attempt succeeded. */
  error: Error | undefined;
  private retry: Promise<void> | undefined;
  /** Whether sessions can have prepared statements. */
  private prepares = true;
  private readonly settings: PoolOptions;

  constructor(settings: PoolOptions = {}) {
    super(settings);
    this.settings = settings;
    // A connection may break before its caller has it; then its statement fails.
    this.on('connect', (client) => client.on('error', () => undefined));
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

  /** Runs a statement that is prepared under a name, which saves PostgreSQL a third of its CPU time. */
  prepared(name: string, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.query({ ...(this.prepares && { name }), text, values: [...values] });
  }

  private async connectOrWait(): Promise<pg.PoolClient> {
    const deadline = performance.now() + outageTimeout;
    for (let hasReadUrl = false; ; ) {
      // Idle connections still work if there are too many connections to the server.
      while (this.error && this.idleCount === 0) {
        if (performance.now() >= deadline) throw this.error;
        this.retry ??= this.tryLater();
        await this.retry;
      }
      try {
        const client = await super.connect();
        this.report(undefined);
        return client;
      } catch (thrown) {
        const error = thrown as pg.DatabaseError;
        if (this.leavesOutParameters(error)) continue;
        if (error.code === wrongPassword && !hasReadUrl) {
          hasReadUrl = true;
          this.options.connectionString = this.settings.readUrl?.() ?? this.options.connectionString;
        } else if (isOutage(error)) this.report(error);
        else throw error;
      }
    }
  }

  /** Tries once for all calls that wait, which would otherwise keep the processor busy. Never rejects. */
  private async tryLater(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, retryInterval));
    try {
      const client = await super.connect();
      this.report(undefined);
      client.release();
    } catch (error) {
      // The calls that wait find out by themselves.
      if (!isOutage(error as Error)) this.error = undefined;
    }
    this.retry = undefined;
  }

  private report(error: Error | undefined): void {
    if (Boolean(error) !== Boolean(this.error)) this.settings.onOutage?.(error);
    this.error = error;
  }

  /** Behind a pooler that rejects parameters of sessions, statements are not prepared either (docs/database.md#a-pooler). */
  private leavesOutParameters(error: Error): boolean {
    const options: PoolOptions = this.options;
    if (!error.message.startsWith('unsupported startup parameter') || options.statement_timeout === undefined)
      return false;
    delete options.statement_timeout;
    this.prepares = false;
    options.onPooler?.(error);
    return true;
  }
}

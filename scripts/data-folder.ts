import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keyFileIn, openTeamKeys, type TeamKeyPairs } from '@daybook/runner/team-keys';
import { root } from '@daybook/runner/workspaces';
import { caller } from './environment.ts';

/** Folder in which npm was called: paths that a person wrote or reads are relative to it. */
export const callingFolder = caller.INIT_CWD ?? process.cwd();

/** Persistent data of `npm start`. */
export const dataFolder = path.join(root, '.data');

/** Database of `npm start`, unless `DATABASE_URL` is set. */
export const postgresFolder = path.join(dataFolder, 'postgres');

/** Cache of the shell server of `npm start`. */
export const releasesFolder = caller.RELEASES_FOLDER || path.join(dataFolder, 'releases');

/** Private key that signs a remote's releases, unless another one is named. */
export const keyFile = (remote: string) => keyFileIn(dataFolder, remote);

/** Reports that a key pair was made. */
export const keyMade = (file: string, remote: string): string =>
  `Made a key pair that signs the releases of ${remote}: ${path.relative(callingFolder, file)}`;

/** Opens the keys of the teams of `npm start`, and makes those that are missing. */
export const localKeys = (): TeamKeyPairs =>
  openTeamKeys(dataFolder, undefined, (file, remote) => console.log(keyMade(file, remote)));

/** Returns a secret that is generated at the first start and stored. */
function secret(name: string): string {
  const file = path.join(dataFolder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = randomBytes(32).toString('hex');
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

/** Signs the backend's cookies. */
export const cookieSecret = () => secret('cookie-secret');

/** Makes the hashes of addresses in the audit log. */
export const auditKey = () => secret('audit-key');

/** Signs in to the operator's pages of the shell server. */
export const operatorToken = () => secret('operator-token');

/** Where that token is, unless it is set. */
export const operatorTokenFile = path.join(dataFolder, 'operator-token');

/** Opens the metrics of both servers. */
export const metricsToken = () => secret('metrics-token');

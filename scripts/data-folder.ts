import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError, readSecretFiles } from '@daybook/server';
import { keyFileIn, openTeamKeys, type TeamKeyPairs } from '@daybook/testing/team-keys';
import { root } from '@daybook/testing/workspaces';

/** Folder in which npm was called: paths that a person wrote or reads are relative to it. */
export const callingFolder = process.env.INIT_CWD ?? process.cwd();

/** Persistent data of `npm start`. */
export const dataFolder = path.join(root, '.data');

/** Database of `npm start`, unless `DATABASE_URL` is set. */
export const postgresFolder = path.join(dataFolder, 'postgres');

/** Cache of the shell server of `npm start`. */
export const releasesFolder = process.env.RELEASES_FOLDER ?? path.join(dataFolder, 'releases');

/** Private key that signs a remote's releases, unless another one is named. */
export const keyFile = (remote: string) => keyFileIn(dataFolder, remote);

/** Reports that a key pair was made. */
export const keyMade = (file: string, remote: string): string =>
  `Made a key pair that signs the releases of ${remote}: ${path.relative(callingFolder, file)}`;

/** Opens the keys of the teams of `npm start`, and makes those that are missing. */
export const localKeys = (): TeamKeyPairs =>
  openTeamKeys(dataFolder, undefined, (file, remote) => console.log(keyMade(file, remote)));

/**
 * Loads secrets from files (`COOKIE_SECRET_FILE` and so on) into the environment of this command and of its child
 * processes.
 *
 * @throws CommandError naming each file that can't be read
 */
export function loadSecretFiles(): void {
  const names = [
    'DATABASE_URL',
    'RELEASES_DATABASE_URL',
    'COOKIE_SECRET',
    'AUDIT_KEY',
    'OPERATOR_TOKEN',
    'OPERATOR_TOKENS',
    'METRICS_TOKEN',
  ];
  const { variables, problems } = readSecretFiles(process.env, names);
  if (problems.length > 0)
    throw new CommandError(problems.map(({ name, message }) => `${name} ${message}.`).join('\n'));
  for (const name of names) {
    if (variables[name]) process.env[name] = variables[name];
    delete process.env[`${name}_FILE`];
  }
}

/** Returns a secret from the environment, or one that is generated at the first start and stored. */
function secret(variable: string, name: string): string {
  const fromEnvironment = process.env[variable];
  if (fromEnvironment) return fromEnvironment;
  const file = path.join(dataFolder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = randomBytes(32).toString('hex');
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

/** Signs the backend's cookies. */
export const cookieSecret = () => secret('COOKIE_SECRET', 'cookie-secret');

/** Makes the hashes of addresses in the audit log. */
export const auditKey = () => secret('AUDIT_KEY', 'audit-key');

/** Signs in to the operator's pages of the shell server. */
export const operatorToken = () => secret('OPERATOR_TOKEN', 'operator-token');

/** Where that token is, unless the environment has it. */
export const operatorTokenFile = path.join(dataFolder, 'operator-token');

/** Opens the metrics of both servers. */
export const metricsToken = () => secret('METRICS_TOKEN', 'metrics-token');

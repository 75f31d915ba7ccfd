import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError, readSecretFiles } from '@daybook/server';
import { root } from '@daybook/testing/workspaces';

/** Where `npm start` keeps what shall outlive it. */
export const dataFolder = path.join(root, '.data');

/** Where `npm start` keeps its database, unless it is given one. */
export const postgresFolder = path.join(dataFolder, 'postgres');

/** Where the shell server of `npm start` keeps the releases that it mirrors. */
export const releasesFolder = process.env.RELEASES_FOLDER ?? path.join(dataFolder, 'releases');

/**
 * Takes the secrets that are given by files (`COOKIE_SECRET_FILE` and so on) into the environment of this command and
 * of what it starts.
 *
 * @throws CommandError naming each one that can't be read
 */
export function takeSecretFiles(): void {
  const names = ['DATABASE_URL', 'COOKIE_SECRET', 'OPERATOR_TOKEN', 'OPERATOR_TOKENS'];
  const { variables, problems } = readSecretFiles(process.env, names);
  if (problems.length > 0)
    throw new CommandError(problems.map(({ name, message }) => `${name} ${message}.`).join('\n'));
  for (const name of names) {
    if (variables[name]) process.env[name] = variables[name];
    delete process.env[`${name}_FILE`];
  }
}

/** A secret from the environment, or one made at the first start and kept. */
function secret(variable: string, name: string): string {
  const given = process.env[variable];
  if (given) return given;
  const file = path.join(dataFolder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = randomBytes(32).toString('hex');
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

/** Signs the backend's cookies. */
export const cookieSecret = () => secret('COOKIE_SECRET', 'cookie-secret');

/** Opens the operator's pages of the shell server. */
export const operatorToken = () => secret('OPERATOR_TOKEN', 'operator-token');

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server/command-line';
import { isRunning } from '@daybook/testing/processes';
import { openTokens, type Tokens } from '@daybook/testing/tokens';
import { root } from '@daybook/testing/workspaces';
import { caller } from './environment.ts';

/** Folder in which npm was called: paths that a person wrote or reads are relative to it. */
export const callingFolder = caller.INIT_CWD ?? process.cwd();

export const dataFolder = path.join(root, '.data');

/** Database of `npm start`, unless `DATABASE_URL` is set. */
export const postgresFolder = path.join(dataFolder, 'postgres');

/** Cache of the shell server of `npm start`. */
export const releasesFolder = caller.RELEASES_FOLDER || path.join(dataFolder, 'releases');

export const localTokens = (): Tokens => openTokens(dataFolder);

/** Returns a secret that is generated at the first start and stored. */
function secret(name: string): string {
  const file = path.join(dataFolder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = randomBytes(32).toString('hex');
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}

export const cookieSecret = () => secret('cookie-secret');
export const auditKey = () => secret('audit-key');
export const metricsToken = () => secret('metrics-token');

/** The running site of `npm start`, as other commands find it. */
export interface LocalSite {
  readonly url: string;
  readonly port: number;
  /** Process of `npm start`. */
  readonly pid: number;
}

const recordFile = path.join(dataFolder, 'site.json');

/** Lets other commands find a running site; returns what withdraws it. */
export function announceLocalSite(site: LocalSite): () => void {
  writeFileSync(recordFile, `${JSON.stringify(site)}\n`);
  return () => rmSync(recordFile, { force: true });
}

/** Returns the running site; a killed one may have left its record behind. */
export function findLocalSite(): LocalSite | undefined {
  if (!existsSync(recordFile)) return undefined;
  const site: LocalSite = JSON.parse(readFileSync(recordFile, 'utf8'));
  return isRunning(site.pid) ? site : undefined;
}

/** Returns the command that develops a remote in a running site. */
export const developIn = ({ url, port }: Pick<LocalSite, 'url' | 'port'>, remote = '<remote>') =>
  `PORT=${port + 1} npm run dev ${remote} -- --site ${url}`;

/** @throws CommandError if `npm start` runs: its database and builds serve one site at a time */
export function expectNoLocalSite(remote?: string): void {
  const site = findLocalSite();
  if (!site) return;
  throw new CommandError(
    `npm start runs at ${site.url}. Stop it with Ctrl-C, or develop a remote in it: ${developIn(site, remote)}`,
  );
}

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRunning } from '@daybook/runner/processes';
import { CommandError } from '@daybook/server/command-line';
import { dataFolder } from './data-folder.ts';

/** The site of `npm start`, as other commands find it. */
export interface RecordedSite {
  readonly address: string;
  readonly port: number;
  /** Its `PUBLIC_URL`, for which requests of teams are signed. */
  readonly publicUrl: string;
  /** Process of `npm start`. */
  readonly pid: number;
}

const file = path.join(dataFolder, 'site.json');

/** Records a running site. */
export function recordSite(site: RecordedSite): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(site, null, 2)}\n`);
}

/** Removes the record of a site, unless another one has replaced it. */
export function forgetSite({ pid }: Pick<RecordedSite, 'pid'>): void {
  if (readRecord()?.pid === pid) rmSync(file, { force: true });
}

/** Returns the running site; `undefined` if there is none, also if a killed one left its record behind. */
export function findRunningSite(): RecordedSite | undefined {
  const site = readRecord();
  return site && isRunning(site.pid) ? site : undefined;
}

/** Returns the command that develops a remote in a running site. */
export const developIn = ({ address, port }: Pick<RecordedSite, 'address' | 'port'>, remote = '<remote>') =>
  `PORT=${port + 1} npm run dev ${remote} -- --site ${address}`;

/** @throws CommandError if `npm start` runs: its database and builds serve one site at a time */
export function expectNoRunningSite(remote?: string): void {
  const site = findRunningSite();
  if (!site) return;
  throw new CommandError(
    `npm start runs at ${site.address}. Stop it with Ctrl-C, or develop a remote in it: ${developIn(site, remote)}`,
  );
}

function readRecord(): RecordedSite | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

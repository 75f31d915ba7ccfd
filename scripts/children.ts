import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './workspaces.ts';

/** A child that does not stop when asked is ended after this many ms. */
const defaultPatience = 10_000;

export interface ChildOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** `inherit` shows what the child prints, `pipe` keeps it for the caller. */
  readonly output?: 'inherit' | 'pipe';
  /** `inherit` lets the child read what is typed. */
  readonly input?: 'inherit' | 'ignore';
}

const running = new Set<ChildProcess>();

function track(child: ChildProcess): ChildProcess {
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

/** Starts a Node program of the project on the pinned Node. */
export function startNode(
  parameters: readonly string[],
  { environment = {}, folder = root, output = 'inherit', input = 'ignore' }: ChildOptions = {},
): ChildProcess {
  const stdio: StdioOptions = [input, output, output];
  return track(spawn(process.execPath, parameters, { cwd: folder, env: { ...process.env, ...environment }, stdio }));
}

/** Keeps a server from outliving its parent, however that ends: the channel between them closes. */
const exitWithParent = new URL('./exit-with-parent.mjs', import.meta.url).href;

/**
 * Starts a Node program that runs until it is stopped, or until this process is gone.
 *
 * @param output whether what it prints is shown; a number is that of an open file, to write it to
 */
export function startServer(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  output: 'inherit' | 'ignore' | 'pipe' | number = 'inherit',
): ChildProcess {
  const stdio: StdioOptions = ['ignore', output, output, 'ipc'];
  const watched = ['--import', exitWithParent, ...parameters];
  return track(spawn(process.execPath, watched, { cwd: root, env: { ...process.env, ...environment }, stdio }));
}

/** Waits for a program to end; gives its exit code, or 1 where a signal ended it. */
export async function exitCode(child: ChildProcess): Promise<number> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? 1;
}

/** Collects what a child prints, if its output is a `pipe`; gives all of it up to now. */
export function collectOutput(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Asks a child to stop, waits until it has, and ends it where it has not after `patience` ms. */
export async function stopChild(child: ChildProcess, patience = defaultPatience): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const impatience = setTimeout(() => child.kill('SIGKILL'), patience);
  child.kill('SIGTERM');
  await exitCode(child);
  clearTimeout(impatience);
}

/** Stops every child that still runs. */
export async function stopAllChildren(): Promise<void> {
  await Promise.all([...running].map((child) => stopChild(child)));
}

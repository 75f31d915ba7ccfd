import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { execa } from 'execa';
import { root } from './workspaces.ts';

export type Child = ReturnType<typeof startNode>;

export interface ChildOptions {
  /** In addition to the variables of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  readonly output?: 'inherit' | 'ignore' | 'pipe';
  /** Starts each line of the inherited output, in brackets. */
  readonly label?: string;
  readonly input?: 'inherit' | 'ignore';
}

const running = new Map<ChildProcess, NodeJS.Signals>();
let guard: Socket | undefined;

// Waits for the end of its input, then sends the signals of the last line: a process that is killed runs no handler.
const guardScript =
  'while read -r line; do last=$line; done; set -- $last; while [ $# -gt 1 ]; do kill -s "$1" "$2"; shift 2; done';

function startGuard(): Socket {
  const shell = spawn('/bin/sh', ['-c', guardScript], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const input = shell.stdin as Socket;
  for (const each of [shell, input]) each.on('error', () => undefined);
  shell.unref();
  input.unref();
  return input;
}

/** Ends a child when this process ends, however it ends. */
export function endWithThisProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
  if (child.pid === undefined) return;
  const tell = () => {
    guard ??= startGuard();
    const words = Array.from(running, ([{ pid }, each]) => `${each.replace('SIG', '')} ${pid}`);
    guard.write(`${words.join(' ')}\n`);
  };
  running.set(child, signal);
  tell();
  child.once('exit', () => {
    running.delete(child);
    tell();
  });
}

/** Starts a Node program, which ends with this process; awaiting it returns its result, also after a failure. */
export function startNode(
  parameters: readonly string[],
  { environment = {}, folder = root, output = 'inherit', label, input = 'ignore' }: ChildOptions = {},
) {
  const withLabel = function* (line: unknown) {
    yield `[${label}] ${line}`;
  };
  const stdout = label === undefined ? output : ([withLabel, 'inherit'] as const);
  const options = { cwd: folder, env: environment, stdin: input, stdout, stderr: stdout } as const;
  // A child that ignores SIGTERM is killed after this time in ms.
  const child = execa(process.execPath, parameters, { ...options, reject: false, forceKillAfterDelay: 10_000 });
  endWithThisProcess(child.nodeChildProcess);
  return child;
}

export const exitCode = async (child: Child): Promise<number> => (await child).exitCode ?? 1;

export const hasEnded = ({ nodeChildProcess: { exitCode, signalCode } }: Child): boolean =>
  exitCode !== null || signalCode !== null;

/** Whether a process exists, whoever started it. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Stops a child with SIGTERM and waits until it has exited. */
export async function stopChild(child: Child): Promise<void> {
  child.kill();
  await child;
}

/** Runs a Node program to completion; returns its exit code and all its output. */
export async function runQuietly(
  parameters: readonly string[],
  { environment = {}, folder = root }: Pick<ChildOptions, 'environment' | 'folder'> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const options = { cwd: folder, env: environment, stdin: 'ignore', all: true, reject: false } as const;
  const child = execa(process.execPath, parameters, options);
  endWithThisProcess(child.nodeChildProcess);
  const { exitCode = 1, all } = await child;
  return { code: exitCode, output: all };
}

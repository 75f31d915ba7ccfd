import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

interface TestProcessOptions {
  /** Max size of each file that it writes, to simulate a full disk; in blocks of 512 bytes, or of 1024 in some shells. */
  readonly maxFile?: number;
}

/** Starts a program of the folder `processes` in its own Node process, with a channel for messages. */
export function startProcess(
  program: string,
  parameters: readonly string[],
  { maxFile }: TestProcessOptions = {},
): ChildProcess {
  const limit = maxFile === undefined ? '' : `ulimit -f ${maxFile};`;
  const command = [process.execPath, path.join(import.meta.dirname, 'processes', program), ...parameters];
  return spawn('sh', ['-c', `${limit} exec "$0" "$@"`, ...command], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Sends a message and waits for the next one from the process; fails if the process ends instead. */
export async function exchangeMessages(child: ChildProcess, message: object): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`The process ended (${code ?? signal}) instead of responding to ${JSON.stringify(message)}.`);
  });
  const replied = once(child, 'message', { signal: over.signal }).then(([reply]): unknown => reply);
  child.send(message);
  try {
    return await Promise.race([replied, ended]);
  } finally {
    // Removes the listener that has not fired.
    over.abort();
    await Promise.allSettled([replied, ended]);
  }
}

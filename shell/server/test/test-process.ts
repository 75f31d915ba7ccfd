import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface TestProcessOptions {
  /** No file that it writes can become longer, as on a full disk; in blocks of 512 bytes, or of 1024 in some shells. */
  readonly largestFile?: number;
}

/** Starts a program of the folder `processes` in a Node process of its own, with a channel for messages. */
export function startProcess(
  program: string,
  parameters: readonly string[],
  { largestFile }: TestProcessOptions = {},
): ChildProcess {
  const limit = largestFile === undefined ? '' : `ulimit -f ${largestFile};`;
  const command = [process.execPath, path.join(import.meta.dirname, 'processes', program), ...parameters];
  return spawn('sh', ['-c', `${limit} exec "$0" "$@"`, ...command], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

/** Sends a message and waits for the next one that comes back; fails where the process ends instead. */
export async function ask(child: ChildProcess, message: object): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`The process ended (${code ?? signal}) instead of answering ${JSON.stringify(message)}.`);
  });
  const answered = once(child, 'message', { signal: over.signal }).then(([answer]): unknown => answer);
  child.send(message);
  try {
    return await Promise.race([answered, ended]);
  } finally {
    // Whichever has not come is not waited for any longer.
    over.abort();
    await Promise.allSettled([answered, ended]);
  }
}

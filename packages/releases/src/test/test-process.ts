import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';

/** Starts a program of the folder `processes` in its own Node process, with a channel for messages. */
export const startProcess = (program: string, parameters: readonly string[]): ChildProcess =>
  spawn(process.execPath, [path.join(import.meta.dirname, 'processes', program), ...parameters], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });

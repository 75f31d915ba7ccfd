import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { versionOf } from '../../../../packages/release/src/test/releases.ts';
import { ConflictError, logFileName, ReleaseLog } from '../../releases/log/release-log.ts';

const [folder = '', name = ''] = process.argv.slice(2);
const log = new ReleaseLog(folder);

function append(number: number): string {
  try {
    const change = { remote: 'mf-legal', action: 'activate', from: null, to: versionOf(number) } as const;
    log.append({ ...change, why: 'a test', by: name });
    return 'counted';
  } catch (error) {
    if (error instanceof ConflictError) return 'conflict';
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}

/** Appends until `count` of its changes are valid; returns the number of conflicts. */
function appendAll(count: number): number {
  let conflicts = 0;
  for (let number = 1; number <= count; ) {
    const outcome = append(number);
    if (outcome === 'counted') number += 1;
    else conflicts += 1;
    if (outcome === 'conflict') log.refresh();
  }
  return conflicts;
}

/** Appends until the first failure; returns the error and the number of valid changes. */
function appendUntilFailure(): { error: string; counted: number } {
  for (let counted = 0; ; counted += 1) {
    const outcome = append(counted + 1);
    if (outcome !== 'counted') return { error: outcome, counted };
  }
}

/**
 * Appends while the disk fails: only the next sync fails, or all syncs and writes in place too. Another process appends
 * a line before the failure is known.
 */
function appendToFailingDisk(number: number, failures: 'one' | 'all', others = ''): string {
  const { fdatasyncSync, writeSync } = fs;
  const fail = () => {
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  };
  fs.fdatasyncSync = () => {
    if (failures === 'one') fs.fdatasyncSync = fdatasyncSync;
    else fs.writeSync = fail;
    syncBuiltinESMExports();
    fs.appendFileSync(path.join(folder, logFileName), others);
    fail();
  };
  syncBuiltinESMExports();
  const result = append(number);
  Object.assign(fs, { fdatasyncSync, writeSync });
  syncBuiltinESMExports();
  return result;
}

/** Runs the tasks in the test's messages. */
process.on(
  'message',
  (message: {
    task: 'read' | 'append' | 'append all' | 'append until failure' | 'append to failing disk';
    number?: number;
    failures?: 'one' | 'all';
    others?: string;
  }) => {
    const { task, number = 0, failures = 'one', others } = message;
    switch (task) {
      case 'read':
        return process.send?.({ read: log.refresh() });
      case 'append':
        return process.send?.(append(number));
      case 'append all':
        return process.send?.(appendAll(number));
      case 'append until failure':
        return process.send?.(appendUntilFailure());
      case 'append to failing disk':
        return process.send?.(appendToFailingDisk(number, failures, others));
    }
  },
);

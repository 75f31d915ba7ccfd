import { ConflictError, ReleaseLog } from '../../releases/log/release-log.ts';
import { versionOf } from '../release-folder.ts';

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

/** Appends until so many of its changes have counted; gives the number of conflicts. */
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

/** Appends until the first that fails; gives the error and how many counted. */
function appendUntilFailure(): { error: string; counted: number } {
  for (let counted = 0; ; counted += 1) {
    const outcome = append(counted + 1);
    if (outcome !== 'counted') return { error: outcome, counted };
  }
}

/** Writes to the release log what the test's messages say. */
process.on(
  'message',
  (message: { task: 'read' | 'append' | 'append all' | 'append until failure'; number?: number }) => {
    const { task, number = 0 } = message;
    switch (task) {
      case 'read':
        return process.send?.({ read: log.refresh() });
      case 'append':
        return process.send?.(append(number));
      case 'append all':
        return process.send?.(appendAll(number));
      case 'append until failure':
        return process.send?.(appendUntilFailure());
    }
  },
);

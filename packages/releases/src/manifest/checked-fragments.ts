import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Release } from '@daybook/contract/release';
import type { CheckedFragments, FragmentsTask } from './checked-fragments-worker.ts';
import { ReleaseRejection } from './rejection.ts';

/**
 * Limit of the processor time, in s, for all fragments of a release. Not of elapsed time: a busy machine would reject
 * good releases.
 */
const maxProcessorTime = 2;
const pollInterval = 100;

/** Of the worker, in MB; the tree of a fragment takes some hundred bytes per character. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** One worker checks all waiting releases in turn: starting one takes longer than checking an honest release. */
let worker: Worker | undefined;
let waiting = 0;
let lastCheck: Promise<unknown> = Promise.resolve();

function startWorker(): Worker {
  const started = new Worker(new URL('checked-fragments-worker.ts', import.meta.url), { resourceLimits });
  // `runInWorker` handles errors; a later one, while the worker is terminated, must not crash the server.
  return started.on('error', () => undefined);
}

async function stopWorker(): Promise<void> {
  const stopped = worker;
  worker = undefined;
  await stopped?.terminate();
}

/**
 * Checks the fragments of a release in a worker, which is terminated at the time limit. Pages are composed only of their
 * serialized form, which is stored with the release: servers that read it from there parse nothing.
 *
 * @param folder folder of the release's files
 * @returns the checked fragments by their names
 * @throws ReleaseRejection naming each fragment that can't become part of a document
 */
export async function checkFragments(
  folder: string,
  { routes }: Pick<Release, 'routes'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Buffer>> {
  const files = [...new Set(routes.flatMap(({ fragment }) => fragment ?? []))];
  if (files.length === 0) return new Map();
  waiting += 1;
  const checked = lastCheck.then(() => runInWorker({ folder, files }, signal));
  lastCheck = checked.catch(() => undefined);
  try {
    const { fragments, errors } = await checked;
    if (errors.length > 0) throw new ReleaseRejection('fragment', ...errors);
    return new Map(Object.entries(fragments).map(([name, html]) => [name, Buffer.from(html)]));
  } finally {
    waiting -= 1;
    if (waiting === 0) await stopWorker();
  }
}

async function runInWorker(task: FragmentsTask, signal: AbortSignal): Promise<CheckedFragments> {
  signal.throwIfAborted();
  const current = worker ?? startWorker();
  worker = current;
  // In µs; 0 for a worker that has not started or has ended.
  const processorTime = () =>
    current.cpuUsage().then(
      ({ user, system }) => user + system,
      () => 0,
    );
  const before = processorTime();
  const tooLong = new AbortController();
  const watch = setInterval(async () => {
    if ((await processorTime()) - (await before) > maxProcessorTime * 1_000_000)
      tooLong.abort(new ReleaseRejection('fragment', `checking its fragments takes more than ${maxProcessorTime} s`));
  }, pollInterval);
  try {
    current.postMessage(task);
    const message = await once(current, 'message', { signal: AbortSignal.any([signal, tooLong.signal]) });
    return (message as [CheckedFragments])[0];
  } catch (error) {
    await stopWorker();
    signal.throwIfAborted();
    tooLong.signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    const { maxOldGenerationSizeMb } = resourceLimits;
    throw new ReleaseRejection('fragment', `checking its fragments takes more than ${maxOldGenerationSizeMb} MB`);
  } finally {
    clearInterval(watch);
  }
}

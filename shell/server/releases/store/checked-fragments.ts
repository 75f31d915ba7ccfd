import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Release, releaseFileSchema } from '@daybook/contract';
import { ReleaseRefusal } from '@daybook/release';
import * as z from 'zod';
import type { CheckedFragments } from '../site-releases.ts';
import { replaceFile } from './durable-files.ts';
import type { FragmentsChecked, FragmentTask } from './fragment-worker.ts';

/** In a release's folder; no file of a release has such a name. */
const checkedFolder = '.checked';

/** Names the checked fragments, with sizes and hashes; written last. */
const indexName = 'index.json';

/** Where they are, beside the index: whatever their names are, none is that of the index. */
const filesFolder = 'files';

/**
 * Processor time, in s, that all fragments of a release may take. Not the time that passes: on a busy machine good
 * releases would be refused.
 */
const maxProcessorTime = 2;
const pollInterval = 100;

/** Of the worker, in MB; the tree of a fragment takes some hundred bytes for each character. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** One worker checks all releases that wait, one after the other: to start one takes longer than an honest release. */
let worker: Worker | undefined;
let waiting = 0;
let lastCheck: Promise<unknown> = Promise.resolve();

function startWorker(): Worker {
  const started = new Worker(new URL('fragment-worker.ts', import.meta.url), { resourceLimits });
  // Errors are handled where an answer is awaited; one after that, while the worker is terminated, must not end the server.
  return started.on('error', () => undefined);
}

async function stopWorker(): Promise<void> {
  const stopped = worker;
  worker = undefined;
  await stopped?.terminate();
}

/**
 * Parses the fragments of a release in a worker, which is terminated where that takes too long, and writes the parsed
 * form beside them. Pages are composed of that alone.
 *
 * @param folder where the release's files are
 * @param maxSeconds of processor time
 * @throws ReleaseRefusal naming the fragment that can't become part of a document
 */
export async function checkFragments(
  folder: string,
  { routes }: Pick<Release, 'routes'>,
  signal: AbortSignal,
  maxSeconds = maxProcessorTime,
): Promise<void> {
  const index = path.join(folder, checkedFolder, indexName);
  const target = path.join(folder, checkedFolder, filesFolder);
  mkdirSync(target, { recursive: true });
  const files = [...new Set(routes.flatMap(({ fragment }) => fragment ?? []))];
  if (files.length === 0) return replaceFile(index, '{}');
  waiting += 1;
  const checked = lastCheck.then(() => runInWorker({ folder, target, files }, signal, maxSeconds));
  lastCheck = checked.catch(() => undefined);
  try {
    replaceFile(index, JSON.stringify(await checked));
  } finally {
    waiting -= 1;
    if (waiting === 0) await stopWorker();
  }
}

async function runInWorker(
  task: FragmentTask,
  signal: AbortSignal,
  maxSeconds: number,
): Promise<CheckedFragments['files']> {
  signal.throwIfAborted();
  const current = worker ?? startWorker();
  worker = current;
  // In µs. A worker that has not started, or has ended, has none.
  const processorTime = () =>
    current.cpuUsage().then(
      ({ user, system }) => user + system,
      () => 0,
    );
  const before = processorTime();
  const tooLong = new AbortController();
  const watch = setInterval(async () => {
    if ((await processorTime()) - (await before) > maxSeconds * 1_000_000)
      tooLong.abort(new ReleaseRefusal('fragment', `to check its fragments takes more than ${maxSeconds} s`));
  }, pollInterval);
  try {
    current.postMessage(task);
    const answer = await once(current, 'message', { signal: AbortSignal.any([signal, tooLong.signal]) });
    const [{ refused, checked }] = answer as [FragmentsChecked];
    if (refused) throw new ReleaseRefusal('fragment', refused);
    return checked;
  } catch (error) {
    if (error instanceof ReleaseRefusal) throw error;
    // Nobody may write on in a folder that is about to be removed.
    await stopWorker();
    signal.throwIfAborted();
    tooLong.signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    const { maxOldGenerationSizeMb } = resourceLimits;
    throw new ReleaseRefusal('fragment', `to check its fragments takes more than ${maxOldGenerationSizeMb} MB`);
  } finally {
    clearInterval(watch);
  }
}

/**
 * Finds the checked fragments of a stored release.
 *
 * @throws Error where they can't be read
 */
export function readCheckedFragments(folder: string): CheckedFragments {
  const place = path.join(folder, checkedFolder);
  const text = readFileSync(path.join(place, indexName), 'utf8');
  return {
    folder: path.join(place, filesFolder),
    files: z.record(z.string(), releaseFileSchema).parse(JSON.parse(text)),
  };
}

import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Release, releaseFileSchema } from '@daybook/contract/release';
import * as z from 'zod';
import { ReleaseRejection } from '../gate/gate.ts';
import { templateProblem } from '../gate/template-texts.ts';
import type { FragmentsChecked, FragmentTask } from './fragment-worker.ts';

/** In a release's folder; not a valid name for a file of a release. */
const checkedFolder = '.checked';

/** Lists the checked fragments with sizes and hashes; written last. */
const indexName = 'index.json';

/** A folder beside the index, so that no fragment's name can collide with the index. */
const filesFolder = 'files';

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
  const started = new Worker(new URL('fragment-worker.ts', import.meta.url), { resourceLimits });
  // `runInWorker` handles errors; a later one, while the worker is terminated, must not crash the server.
  return started.on('error', () => undefined);
}

async function stopWorker(): Promise<void> {
  const stopped = worker;
  worker = undefined;
  await stopped?.terminate();
}

/**
 * Parses the fragments of a release in a worker, which is terminated at the time limit, and writes the serialized form
 * beside them. Pages are composed only of that form.
 *
 * @param folder folder of the release's files
 * @throws ReleaseRejection naming the fragment that can't become part of a document, or the page that is not finished
 */
export async function checkFragments(
  folder: string,
  { routes }: Pick<Release, 'routes'>,
  signal: AbortSignal,
): Promise<void> {
  for (const route of routes) {
    const problem = templateProblem(route.description);
    if (problem)
      throw new ReleaseRejection('malformed', `the description of ${route.path} is not finished: ${problem}`);
  }
  const index = path.join(folder, checkedFolder, indexName);
  const target = path.join(folder, checkedFolder, filesFolder);
  mkdirSync(target, { recursive: true });
  const files = [...new Set(routes.flatMap(({ fragment }) => fragment ?? []))];
  if (files.length === 0) return writeFileSync(index, '{}');
  waiting += 1;
  const checked = lastCheck.then(() => runInWorker({ folder, target, files }, signal));
  lastCheck = checked.catch(() => undefined);
  try {
    writeFileSync(index, JSON.stringify(await checked));
  } finally {
    waiting -= 1;
    if (waiting === 0) await stopWorker();
  }
}

async function runInWorker(task: FragmentTask, signal: AbortSignal): Promise<FragmentsChecked['checked']> {
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
    const [{ rejected, checked }] = message as [FragmentsChecked];
    if (rejected) throw new ReleaseRejection('fragment', rejected);
    return checked;
  } catch (error) {
    if (error instanceof ReleaseRejection) throw error;
    // The worker must not write to a folder that is about to be removed.
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

/**
 * Finds the checked fragments of a stored release: as serialized by the parser, by their names in the release.
 *
 * @throws Error if they can't be read
 */
export function readCheckedFragments(folder: string) {
  const place = path.join(folder, checkedFolder);
  const text = readFileSync(path.join(place, indexName), 'utf8');
  return {
    folder: path.join(place, filesFolder),
    files: z.record(z.string(), releaseFileSchema).parse(JSON.parse(text)),
  };
}

import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Release, releaseFileSchema } from '@daybook/contract';
import { ReleaseRefusal } from '@daybook/release';
import * as z from 'zod';
import type { CheckedFragments } from '../site-releases.ts';
import { replaceFile } from './durable-files.ts';
import type { FragmentsChecked, FragmentTask } from './fragment-worker.ts';

/** Where in a release's folder its checked fragments are; no file of a release has such a name. */
export const checkedFolder = '.checked';

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

/**
 * Parses the fragments of a release in a worker, which is ended where that takes too long, and writes the parsed form
 * beside them. Pages are composed of that alone.
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
  const target = path.join(folder, checkedFolder);
  mkdirSync(path.join(target, filesFolder), { recursive: true });
  const files = [...new Set(routes.flatMap(({ fragment }) => fragment ?? []))];
  const checked =
    files.length > 0
      ? await runWorker({ folder, target: path.join(target, filesFolder), files }, signal, maxSeconds)
      : {};
  replaceFile(path.join(target, indexName), JSON.stringify(checked));
}

async function runWorker(
  task: FragmentTask,
  signal: AbortSignal,
  maxSeconds: number,
): Promise<CheckedFragments['files']> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<FragmentsChecked>();
  const worker = new Worker(new URL('fragment-worker.ts', import.meta.url), { resourceLimits, workerData: task });
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop);
  const watch = setInterval(async () => {
    // One that has ended meanwhile has no more.
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    if (user + system > maxSeconds * 1_000_000)
      reject(new ReleaseRefusal('fragment', `to check its fragments takes more than ${maxSeconds} s`));
  }, pollInterval);
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? new ReleaseRefusal(
            'fragment',
            `to check its fragments takes more than ${resourceLimits.maxOldGenerationSizeMb} MB`,
          )
        : error,
    ),
  );
  try {
    const { refused, checked } = await promise;
    if (refused) throw new ReleaseRefusal('fragment', refused);
    return checked;
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
    // Nobody may write on in a folder that is about to be removed.
    await worker.terminate();
  }
}

/**
 * Finds the checked fragments of a stored release; `undefined` where it was stored by a server that did not check them.
 *
 * @throws Error where they can't be read
 */
export function readCheckedFragments(folder: string): CheckedFragments | undefined {
  const place = path.join(folder, checkedFolder);
  try {
    const text = readFileSync(path.join(place, indexName), 'utf8');
    return {
      folder: path.join(place, filesFolder),
      files: z.record(z.string(), releaseFileSchema).parse(JSON.parse(text)),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

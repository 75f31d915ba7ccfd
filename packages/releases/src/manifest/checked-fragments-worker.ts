import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { checkFragment, FragmentError } from './fragment.ts';

/** The fragments of a release in a folder. */
export interface FragmentsTask {
  readonly folder: string;
  readonly files: readonly string[];
}

/** The checked fragments by name, as the parser serializes them, and why others are rejected. */
export interface CheckedFragments {
  readonly fragments: Readonly<Record<string, string>>;
  readonly errors: readonly string[];
}

function check({ folder, files }: FragmentsTask): CheckedFragments {
  const fragments: Record<string, string> = {};
  const errors: string[] = [];
  for (const file of files) {
    try {
      const content = readFileSync(path.join(folder, file));
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
      fragments[file] = checkFragment(text);
    } catch (error) {
      if (error instanceof FragmentError)
        errors.push(`its fragment ${file} can't become part of a document: ${error.message}`);
      else if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
        errors.push(`its fragment ${file} is not UTF-8`);
      else throw error;
    }
  }
  return { fragments, errors };
}

parentPort?.on('message', (task: FragmentsTask) => parentPort?.postMessage(check(task)));

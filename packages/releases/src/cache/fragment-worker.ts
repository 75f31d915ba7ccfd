import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { ReleaseFile } from '@daybook/contract/release';
import { checkFragment, FragmentError } from '../gate/fragment.ts';
import { integrityOf } from '../gate/gate.ts';
import { templateProblem } from '../gate/template-texts.ts';

/** The fragments of a release, and the target folder of their checked form. */
export interface FragmentTask {
  readonly folder: string;
  readonly target: string;
  readonly files: readonly string[];
}

/** The checked fragments, or the reason why one is rejected. */
export interface FragmentsChecked {
  readonly checked: Readonly<Record<string, ReleaseFile>>;
  readonly rejected?: string;
}

function check({ folder, target, files }: FragmentTask): FragmentsChecked {
  const checked: Record<string, ReleaseFile> = {};
  for (const file of files) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        readFileSync(path.join(folder, file)),
      );
      const problem = templateProblem(text);
      if (problem) return { checked, rejected: `its page ${file} is not finished: ${problem}` };
      const html = Buffer.from(checkFragment(text));
      const place = path.join(target, file);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, html);
      checked[file] = { integrity: integrityOf(html), size: html.length };
    } catch (error) {
      if (error instanceof FragmentError)
        return { checked, rejected: `its fragment ${file} can't become part of a document: ${error.message}` };
      if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
        return { checked, rejected: `its fragment ${file} is not UTF-8` };
      throw error;
    }
  }
  return { checked };
}

parentPort?.on('message', (task: FragmentTask) => parentPort?.postMessage(check(task)));

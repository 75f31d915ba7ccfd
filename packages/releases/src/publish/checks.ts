import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { readManifest } from '../manifest/manifest.ts';
import { ReleaseRejection } from '../manifest/rejection.ts';
import { templateProblem } from '../manifest/template-texts.ts';
import type { Candidate } from './candidate.ts';

/**
 * Rejects early what a site would reject later, whatever it serves.
 *
 * @throws CommandError with the rejected release and every reason
 */
export function checkManifest({ release: { name, version }, text }: Candidate): void {
  try {
    readManifest(text, name);
  } catch (error) {
    if (!(error instanceof ReleaseRejection)) throw error;
    throw new CommandError(
      `The site would reject ${name}@${version}: ${error.errors.map((each) => `${each}.`).join('\n')}`,
    );
  }
}

/** @throws CommandError naming the routes that still have texts of the template */
export function checkTexts({ folder, release }: Pick<Candidate, 'folder' | 'release'>): void {
  const problems = release.routes.flatMap(({ path: routePath, description, fragment }) => {
    const texts = [description, fragment ? readFileSync(path.join(folder, fragment), 'utf8') : ''];
    return texts.flatMap((text) => templateProblem(text) ?? []).map((problem) => `${routePath}: ${problem}.`);
  });
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

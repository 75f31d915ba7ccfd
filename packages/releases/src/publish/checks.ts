import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server/command-line';
import { readManifest } from '../manifest/manifest.ts';
import { ReleaseRejection } from '../manifest/rejection.ts';
import type { ReleaseBuild } from './release-build.ts';

/** Texts of `scripts/new/template`, which `npm run new-page` and `new-remote` write and each page must replace by its own. */
export const templateTexts = [
  'write here in a sentence what readers find on this page',
  'The purpose of this page in one or two sentences.',
  'Its text, in paragraphs, lists and tables.',
] as const;

/**
 * Rejects early what a site would reject later, whatever it serves.
 *
 * @throws CommandError with the rejected release and every reason
 */
export function checkManifest({ release: { name, version }, text }: ReleaseBuild): void {
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
export function checkTexts({ folder, release }: Pick<ReleaseBuild, 'folder' | 'release'>): void {
  const problems = release.routes.flatMap(({ path: routePath, description, fragment }) => {
    const texts = [description, fragment ? readFileSync(path.join(folder, fragment), 'utf8') : ''];
    const found = templateTexts.filter((each) => texts.some((text) => text.includes(each)));
    return found.map((text) => `${routePath}: it still says “${text}”, as the template does; write its own text.`);
  });
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

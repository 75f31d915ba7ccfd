import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ManifestError, readManifest } from '@daybook/contract/manifest';
import { type Release, releaseFileName, releaseSchema } from '@daybook/contract/release';
import { CommandError } from '@daybook/server/command-line';

export interface ReleaseBuild {
  readonly folder: string;
  readonly release: Release;
  /** Its release.json, byte for byte. */
  readonly text: string;
}

export function readBuild(folder: string): ReleaseBuild {
  const text = readFileSync(path.join(folder, releaseFileName), 'utf8');
  return { folder, release: releaseSchema.parse(JSON.parse(text)), text };
}

/** @throws CommandError with everything that a site with this API number would reject */
export function checkManifest({ release: { name, version }, text }: ReleaseBuild, api?: number): void {
  try {
    readManifest(text, name, api);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw new CommandError([`The site would reject ${name}@${version}:`, ...error.errors].join('\n  '));
  }
}

/** Texts of `scripts/new/template`, which each page must replace with its own. */
export const templateTexts = [
  'write here in a sentence what readers find on this page',
  'The purpose of this page in one or two sentences.',
  'Its text, in paragraphs, lists and tables.',
] as const;

/** @throws CommandError naming the pages that still have texts of the template */
export function checkTexts({ folder, release }: Pick<ReleaseBuild, 'folder' | 'release'>): void {
  const problems = release.routes.flatMap(({ path: page, description, fragment }) => {
    const texts = [description, fragment ? readFileSync(path.join(folder, fragment), 'utf8') : ''];
    const found = templateTexts.filter((each) => texts.some((text) => text.includes(each)));
    return found.map((text) => `${page} still says “${text}”, as the template does. Write its own text.`);
  });
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readSources } from '@daybook/build/sources';
import type { Release } from '@daybook/contract/release';
import { CommandError } from '@daybook/server';
import { buildFolder, remotes } from '@daybook/testing/workspaces';
import { changesSince } from '../affected.ts';
import { type Candidate, readCandidate } from './candidate.ts';

/** Returns everything that a route consists of, without its release's version, which is in names and contents. */
function contentOf(folder: string, { version, entry, routes }: Release, routePath: string): string | undefined {
  const route = routes.find((each) => each.path === routePath);
  if (!route) return undefined;
  const files = [entry, ...route.files, ...(route.fragment ? [route.fragment] : [])];
  const contents = files.map((file) => readFileSync(path.join(folder, file), 'latin1'));
  const hash = version.split('-').at(-1) ?? version;
  return JSON.stringify([route, ...contents])
    .replaceAll(version, '<version>')
    .replaceAll(hash, '<hash>');
}

/**
 * Returns the paths of pages that differ from those of the release at an origin; all of them if there is none that can
 * be read.
 */
export function changedPages({ folder, release }: Pick<Candidate, 'folder' | 'release'>, origin: string): Set<string> {
  const paths = release.routes.map((route) => route.path);
  try {
    const before = readCandidate(origin).release;
    return new Set(paths.filter((each) => contentOf(folder, release, each) !== contentOf(origin, before, each)));
  } catch {
    return new Set(paths);
  }
}

/** A page's text, split at the date that it shows. */
const dated = /^(.*\bLast Updated: )(\w+ \d{1,2}, \d{4})\b(.*)$/;

/** Returns a page's text before, in and after its date, as a reader sees it; `undefined` for a page without a date. */
function datedText(folder: string, { routes }: Release, routePath: string) {
  const fragment = routes.find((each) => each.path === routePath)?.fragment;
  if (fragment === undefined) return undefined;
  const html = readFileSync(path.join(folder, fragment), 'utf8');
  const text = html
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  const [, before, date, after] = dated.exec(text) ?? [];
  return date === undefined ? undefined : { date, words: `${before}${after}` };
}

/**
 * Checks that a text has a new date if its words differ from those of the release at an origin: readers of a legal text
 * must be able to tell that it has changed.
 *
 * @param isTypo whether such changes are corrections of spelling, which keep the date
 * @returns the texts that keep their date, for people
 * @throws CommandError naming the others
 */
export function checkDates(
  { folder, release }: Pick<Candidate, 'folder' | 'release'>,
  origin: string,
  isTypo: boolean,
): string | undefined {
  let before: Release;
  try {
    before = readCandidate(origin).release;
  } catch {
    return undefined;
  }
  const kept = release.routes.flatMap(({ path: routePath }) => {
    const now = datedText(folder, release, routePath);
    const then = datedText(origin, before, routePath);
    return now && then && now.date === then.date && now.words !== then.words ? [{ routePath, date: now.date }] : [];
  });
  if (kept.length === 0) return undefined;
  if (isTypo) return `corrected under the same date: ${kept.map(({ routePath }) => routePath).join(', ')}`;
  throw new CommandError(
    kept
      .map(
        ({ routePath, date }) =>
          `The text of ${routePath} has changed, and is still dated ${date}. Write the new date at the beginning of its Markdown file; if you only corrected its spelling: --typo`,
      )
      .join('\n'),
  );
}

/**
 * Returns a line for each file of the shared packages that is in a candidate and has changed since the release at its
 * origin, with the other remotes whose last build contains it too. Empty if git does not know the commit of that release.
 *
 * @param changedSince returns the files that changed since a commit
 * @param buildOf returns the folder of a remote's build
 */
export function sharedChanges(
  { folder, release }: Pick<Candidate, 'folder' | 'release'>,
  origin: string,
  changedSince = (commit: string) => changesSince(commit).files,
  buildOf = buildFolder,
): readonly string[] {
  let changed: readonly string[];
  try {
    const { commit } = readCandidate(origin).release;
    changed = commit ? changedSince(commit) : [];
  } catch {
    return [];
  }
  const others = remotes.filter((name) => name !== release.name);
  const shared = readSources(folder).files.filter((file) => file.startsWith('packages/') && changed.includes(file));
  return shared.flatMap((file) => {
    const affected = others.filter((name) => readSources(buildOf(name)).files.includes(file));
    return affected.length > 0 ? [`${file} changed: also affects ${affected.join(', ')}`] : [];
  });
}

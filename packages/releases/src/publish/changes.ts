import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { withoutVersion } from '../state/without-version.ts';
import type { Candidate } from './publish.ts';

/** A release in a folder. */
type StoredCandidate = Pick<Candidate, 'folder' | 'release'>;

/** Returns everything that a route consists of, without its release's version, which is in names and contents. */
function contentOf({ folder, release }: StoredCandidate, routePath: string): string | undefined {
  const { version, entry, routes } = release;
  const route = routes.find((each) => each.path === routePath);
  if (!route) return undefined;
  const files = [entry, ...route.files, ...(route.fragment ? [route.fragment] : [])];
  const contents = files.map((file) => readFileSync(path.join(folder, file), 'latin1'));
  return withoutVersion(JSON.stringify([route, ...contents]), version);
}

/**
 * Returns the paths of pages that differ from those of the published release; all of them if there is none whose files
 * can be read.
 */
export function changedPages(candidate: StoredCandidate, published: StoredCandidate | undefined): Set<string> {
  const paths = candidate.release.routes.map((route) => route.path);
  if (!published) return new Set(paths);
  try {
    return new Set(paths.filter((each) => contentOf(candidate, each) !== contentOf(published, each)));
  } catch {
    return new Set(paths);
  }
}

/** A page's text, split at the date that it shows. */
const dated = /^(.*\bLast Updated: )(\w+ \d{1,2}, \d{4})\b(.*)$/s;

/** Returns a page's text before, in and after its date, as a reader sees it; `undefined` for a page without a date. */
function datedText({ folder, release }: StoredCandidate, routePath: string) {
  const fragment = release.routes.find((each) => each.path === routePath)?.fragment;
  if (fragment === undefined) return undefined;
  const html = readFileSync(path.join(folder, fragment), 'utf8');
  const text = html
    .replaceAll(/<!--[^<>]*-->/g, '')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  const [, before, date, after] = dated.exec(text) ?? [];
  return date === undefined ? undefined : { date, words: `${before}${after}` };
}

/**
 * Checks that a text has a new date if its words differ from those of the published release: readers of a legal text
 * must be able to tell that it has changed.
 *
 * @param isTypo whether such changes are corrections of spelling, which keep the date
 * @returns the changed texts with their dates, for people
 * @throws CommandError naming those that must have a new date
 */
export function checkDates(
  candidate: StoredCandidate,
  published: StoredCandidate | undefined,
  isTypo: boolean,
): string | undefined {
  const { name, routes } = candidate.release;
  const changed = routes.flatMap(({ path: routePath }) => {
    const now = datedText(candidate, routePath);
    const then = published && datedText(published, routePath);
    return now && then && now.words !== then.words ? [{ routePath, date: now.date, before: then.date }] : [];
  });
  const kept = changed.filter(({ date, before }) => date === before);
  if (kept.length > 0 && !isTypo)
    throw new CommandError(
      kept
        .map(
          ({ routePath, date }) =>
            `The text of ${routePath} has changed, and is still dated ${date}. Write the new date at the beginning of its Markdown file, as lastUpdated; if you only corrected its spelling: npm run release -w ${name} -- --typo`,
        )
        .join('\n'),
    );
  const describe = ({ routePath, date, before }: (typeof changed)[number]) =>
    `${routePath} ${date === before ? `keeps ${date}` : `${before} → ${date}`}`;
  return changed.length > 0 ? changed.map(describe).join('; ') : undefined;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withoutVersion } from '@daybook/releases';
import type { ReleaseBuild } from '@daybook/releases/publish';
import { CommandError } from '@daybook/server/command-line';

/** A release in a folder. */
type StoredBuild = Pick<ReleaseBuild, 'folder' | 'release'>;

/** Returns everything that a route consists of, without its release's version, which is in names and contents. */
function contentOf({ folder, release }: StoredBuild, routePath: string): string | undefined {
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
export function changedPages(build: StoredBuild, published: StoredBuild | undefined): Set<string> {
  const paths = build.release.routes.map((route) => route.path);
  if (!published) return new Set(paths);
  try {
    return new Set(paths.filter((each) => contentOf(build, each) !== contentOf(published, each)));
  } catch {
    return new Set(paths);
  }
}

/** A page's text, split at the date that it shows. */
const dated = /^(.*\bLast Updated: )(\w+ \d{1,2}, \d{4})\b(.*)$/s;

/** Returns a page's text before, in and after its date, as a reader sees it; `undefined` for a page without a date. */
function datedText({ folder, release }: StoredBuild, routePath: string) {
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

/** In ms since the epoch, of a date as a page shows it. */
const dayOf = (date: string) => Date.parse(`${date} UTC`);

/** In ms: a leap year. A text that takes effect later than that is more likely a slip of the year. */
const maxAhead = 366 * 24 * 60 * 60_000;

/** What whoever releases says of dates that would be rejected. */
export interface DateOptions {
  /** The words were only corrected, so that they keep their date. */
  readonly isTypo?: boolean | undefined;
  /** A date is meant that is before the published one, or more than a year ahead. */
  readonly isDateRight?: boolean | undefined;
}

/**
 * Checks that a text has a new date if its words differ from those of the published release, because readers of a legal
 * text must be able to tell that it has changed; and that no date is before the published one, or more than a year ahead.
 *
 * @returns the changed texts with their dates, for people
 * @throws CommandError naming those with a wrong date
 */
export function checkDates(
  build: StoredBuild,
  published: StoredBuild | undefined,
  { isTypo = false, isDateRight = false }: DateOptions = {},
): string | undefined {
  const { name, routes } = build.release;
  const texts = routes.flatMap(({ path: routePath }) => {
    const now = datedText(build, routePath);
    const then = published && datedText(published, routePath);
    const isChanged = then !== undefined && now?.words !== then.words;
    return now ? [{ routePath, date: now.date, before: then?.date, isChanged }] : [];
  });
  const where = 'Write it at the beginning of its Markdown file, as lastUpdated';
  const unless = (reason: string, option: string) => `; if ${reason}: npm run release ${name} -- --${option}`;
  const problems = texts.flatMap(({ routePath, date, before, isChanged }) => {
    if (isChanged && date === before && !isTypo)
      return `The text of ${routePath} has changed, and is still dated ${date}. It needs a new date. ${where}${unless('you only corrected its spelling', 'typo')}`;
    if (isDateRight || date === before) return [];
    if (before !== undefined && dayOf(date) < dayOf(before))
      return `${routePath} is dated ${date}, before the published text of ${before}. It needs a later date. ${where}${unless('the date is right', 'date-is-right')}`;
    if (dayOf(date) > Date.now() + maxAhead)
      return `${routePath} is dated ${date}, more than a year ahead. It needs an earlier date. ${where}${unless('the date is right', 'date-is-right')}`;
    return [];
  });
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  const describe = ({ routePath, date, before }: (typeof texts)[number]) =>
    `${routePath} ${date === before ? `keeps ${date}` : `${before} → ${date}`}`;
  const changed = texts.filter(({ date, before, isChanged }) => isChanged || (before && date !== before));
  return changed.length > 0 ? changed.map(describe).join('; ') : undefined;
}

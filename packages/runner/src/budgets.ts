import type { Release, ReleaseRoute } from '@daybook/contract/release';

/** Limits of every page, in bytes. */
const pageLimits = {
  /** The remote's entry and the page's scripts and styles, as transferred. The largest page has 37,000. */
  files: 42_000,
  /** HTML without its frame, uncompressed. The largest page has 22,000. */
  html: 45_000,
} as const;

/**
 * Returns the bytes of a page's scripts and styles as transferred: those of the entry, and all that a first visit to its
 * route loads. Pictures and downloads don't count.
 */
export function transferredBytes({ entry, files }: Release, route: ReleaseRoute): number {
  const transferred = (file: string) => (files[`${file}.br`] ?? files[file])?.size ?? 0;
  return [entry, ...route.files].reduce((sum, file) => sum + transferred(file), 0);
}

/** Returns a sentence for each page of a release that is over a limit. */
export function overweightPages(release: Release): readonly string[] {
  const inWords = (bytes: number) => bytes.toLocaleString('en-US');
  const check = (path: string, what: string, bytes: number, limit: number) => {
    const over = `${inWords(bytes - limit)} over the limit of ${inWords(limit)} (packages/runner/src/budgets.ts)`;
    return bytes > limit ? [`${path} has ${inWords(bytes)} bytes of ${what}, ${over}.`] : [];
  };
  return release.routes.flatMap((route) => [
    ...check(route.path, 'scripts and styles', transferredBytes(release, route), pageLimits.files),
    ...check(route.path, 'HTML', release.files[route.fragment ?? '']?.size ?? 0, pageLimits.html),
  ]);
}

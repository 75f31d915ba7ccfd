import type { Release, ReleaseRoute } from '@daybook/contract/release';

/** Limits of every page in bytes: its scripts and styles as transferred, and its HTML without the frame, uncompressed. */
const limits = { files: 42_000, html: 45_000 };

/** Returns the bytes of the scripts and styles that a first visit to a route loads, as transferred. */
export function transferredBytes({ entry, files }: Release, route: ReleaseRoute): number {
  const transferred = (file: string) => (files[`${file}.br`] ?? files[file])?.size ?? 0;
  return [entry, ...route.files].reduce((sum, file) => sum + transferred(file), 0);
}

/** Returns a sentence for each page of a release that is over a limit. */
export function overweightPages(release: Release): readonly string[] {
  const inWords = (bytes: number) => bytes.toLocaleString('en-US');
  const check = (path: string, what: string, bytes: number, limit: number) => {
    const over = `${inWords(bytes - limit)} over the limit of ${inWords(limit)} (packages/testing/src/budgets.ts)`;
    return bytes > limit ? [`${path} has ${inWords(bytes)} bytes of ${what}, ${over}.`] : [];
  };
  return release.routes.flatMap((route) => [
    ...check(route.path, 'scripts and styles', transferredBytes(release, route), limits.files),
    ...check(route.path, 'HTML', release.files[route.fragment ?? '']?.size ?? 0, limits.html),
  ]);
}

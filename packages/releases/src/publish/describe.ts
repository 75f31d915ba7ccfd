import { linkOf, type WatchResult } from './watch-site.ts';

/**
 * Describes a published release: the result on the site, and the next commands. Suggests a rollback only if visitors have
 * the release: while it waits, a rollback would withdraw the release that they have.
 *
 * @param token of a preview
 * @param site its address; the link of a preview begins with it
 */
export function describePublished(
  { name, version }: { readonly name: string; readonly version: string },
  { text, isActive }: WatchResult,
  token?: string,
  site?: string,
): string {
  const link = token && (site ? linkOf(site, token) : `/_preview/${token}, after the address of the site`);
  const lines = link
    ? [
        `link:       ${link}`,
        '            for 7 days; whoever has it sees the whole site with this release',
        `activate:   npm run releases -- activate ${name} ${version}`,
        `end:        npm run releases -- preview ${name} --end`,
      ]
    : [
        `inspect:    npm run releases -- show ${name}`,
        ...(isActive ? [`roll back:  npm run releases -- rollback ${name} --why "…"`] : []),
      ];
  return [text, ...lines].map((line) => `  ${line}`).join('\n');
}

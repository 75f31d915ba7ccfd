import type { SiteClient } from '@daybook/releases/publish';

/** What a site has responded to a release. */
type Response = Awaited<ReturnType<SiteClient['publish']>>['body'];

/** What was pushed, and how it is described. */
interface Pushed {
  readonly name: string;
  readonly version: string;
  readonly site: string;
  /** Paths of the pages that differ from those of the release that visitors had. */
  readonly changed: ReadonlySet<string>;
  /** Token of a preview's link. */
  readonly token?: string | undefined;
  /** The end of commands about this site: empty for that of `npm start`. */
  readonly at: string;
}

/** The fields of a response that decide what can be done next. */
interface Overview {
  readonly active?: string;
  readonly previous?: string;
  readonly canary?: { readonly version: string };
  readonly preview?: { readonly version: string };
}

/**
 * Says what visitors get after a push, in the words of the site; the changed pages as links; and the commands that
 * are possible next.
 */
export function resultText({ lines = [], ...body }: Response, pushed: Pushed): string {
  const { name, version, site, changed, token, at } = pushed;
  const { active, previous, canary, preview } = (body.overview ?? {}) as Overview;
  const command = (words: string) => `npm run releases -- ${words}${at}`;
  const isPreviewed = token !== undefined && preview?.version === version && body.outcome === 'deployed';
  const pages = [...changed].map((each) => new URL(each, site).href);
  const activate = command(`activate ${name} ${version}`);
  const next = [
    isPreviewed && ['link', `${new URL(`/_preview/${token}`, site)}`],
    isPreviewed && ['', 'for 7 days; whoever has it sees the whole site with this release'],
    body.outcome === 'deployed' && !isPreviewed && pages.length > 0 && ['changed', pages.join(' ')],
    active !== version && ['activate', activate],
    canary?.version === version && ['end', command(`end ${name} canary`)],
    isPreviewed && ['end', command(`end ${name} preview`)],
    ['inspect', command(`show ${name}`)],
    active === version && previous && ['roll back', command(`rollback ${name} --why "…"`)],
  ].filter((each) => Array.isArray(each));
  return [...lines, ...next.map(([what, words]) => `  ${what ? `${what}:` : ''}`.padEnd(14) + words)].join('\n');
}

/**
 * Says what a site has of a release whose push failed: an attempt whose response was lost may have been done.
 *
 * @param overview what the site says of the remote now; `undefined` if it does not respond
 */
export function failureText(name: string, version: string, overview: unknown): string {
  if (!overview)
    return `It is not known whether ${name}@${version} was published. Repeat the command: publishing twice changes nothing.`;
  const { active, stored = [] } = overview as Overview & { readonly stored?: readonly { readonly version: string }[] };
  if (active === version) return `${name}@${version} is published: all visitors get it.`;
  if (stored.some((each) => each.version === version))
    return `${name}@${version} is stored; visitors get ${active ?? 'nothing'}.`;
  return 'Nothing was published.';
}

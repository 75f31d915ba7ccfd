import { missingRemotesRetryAfter, type PageRoute } from '@daybook/contract';
import { Unavailable, unavailableTitle } from './unavailable.tsx';

/** What the frame has to know of an unknown path while a remote is missing. */
export const missingRemotesRoute: PageRoute = {
  path: '*',
  title: unavailableTitle,
  description: 'A part of the site is not available.',
  frame: 'site',
  noIndex: true,
};

/** Any path that no remote claims, while a remote has no release: the page may be one of its own. */
export function MissingRemotesPage({ missing }: { readonly missing: readonly string[] }) {
  return (
    <Unavailable
      lead={`A part of the site is not available, and this page may belong to it. Please try again in about ${missingRemotesRetryAfter} seconds; the rest of the site works.`}
      remotes={missing}
      onTryAgain={() => location.reload()}
    />
  );
}

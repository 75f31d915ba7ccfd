import { connectNavigation } from '@daybook/platform/host';
import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import { FrameLayout } from '../frame/frame-layout.tsx';
import { ErrorBoundary } from '../pages/error-boundary.tsx';
import { PageFailure } from '../pages/page-failure.tsx';
import { PageLoading } from '../pages/page-loading.tsx';
import { RemotePage } from '../pages/remote-page.tsx';
import { SiteFailure } from '../pages/site-failure.tsx';
import type { PageSource } from '../remotes/site-remotes.ts';
import { type Content, routeOf } from './content.tsx';
import { useLocation, useNavigate } from './react-router.ts';
import type { SitePages } from './site-pages.ts';
import { useScrolling } from './use-scrolling.ts';
import { type Shown, useShownPage } from './use-shown-page.ts';

export interface SiteProps {
  readonly pages: SitePages;
  /** What is at the first location, where that is known before it is rendered. */
  readonly first?: Content | undefined;
}

/** The page of the browser's location in its frame, and what happens when the visitor goes on. */
export function Site({ pages, first }: SiteProps) {
  useConnectedNavigation();
  useNavigationLog();
  const { shown, isLeaving } = useShownPage(pages, first);
  useScrolling(shown);
  return (
    <ErrorBoundary resetBy={shown} fallback={() => <SiteFailure />}>
      <FrameLayout route={routeOf(shown.content)} location={shown.location} isLeaving={isLeaving}>
        <ShownContent shown={shown} remotes={pages.remotes} />
      </FrameLayout>
    </ErrorBoundary>
  );
}

function ShownContent({ shown, remotes }: { readonly shown: Shown; readonly remotes: PageSource }) {
  const { content } = shown;
  switch (content.kind) {
    case 'own':
      return <OwnMain content={content}>{content.element}</OwnMain>;
    case 'loading':
      return (
        <OwnMain content={content}>
          <PageLoading />
        </OwnMain>
      );
    case 'failed':
      return (
        <OwnMain content={content}>
          <PageFailure shown={shown} registered={content.registered} remotes={remotes} error={content.error} />
        </OwnMain>
      );
    case 'page': {
      const { registered, loaded } = content;
      return (
        <ErrorBoundary
          resetBy={shown}
          fallback={(error) => (
            <OwnMain content={content}>
              <PageFailure shown={shown} registered={registered} remotes={remotes} error={error} />
            </OwnMain>
          )}
        >
          <RemotePage
            key={registered.route.path}
            remote={registered.remote}
            loaded={loaded}
            location={shown.location}
          />
        </ErrorBoundary>
      );
    }
    default:
      return content satisfies never;
  }
}

/** What the shell draws in the place of a page that would bring its own main landmark. */
function OwnMain({ content, children }: { readonly content: Content; readonly children: ReactNode }) {
  return routeOf(content)?.frame === 'bare' ? <main>{children}</main> : children;
}

/** Lets pages go on through the router. */
function useConnectedNavigation(): void {
  const navigate = useNavigate();
  // Before the effects of the page, which may go on at once.
  useLayoutEffect(() => connectNavigation((to, options) => void navigate(to, options)), [navigate]);
}

/** Path and query of each navigation go to the console (product document, section 2), whatever becomes of its page. */
function useNavigationLog(): void {
  const { pathname, search, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation is logged, also one to the same address
  useEffect(() => {
    console.log(pathname + search);
  }, [pathname, search, key]);
}

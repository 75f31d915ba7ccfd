import type { PageRoute } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { PrivacyHeader, SiteFooter, SiteHeader } from '@daybook/ui';
import type { ReactNode } from 'react';
import type { Location } from '../router/react-router.ts';
import { LazyToaster } from '../toaster/lazy-toaster.tsx';
import styles from './frame-layout.module.css';
import { LoadingBar } from './loading-bar.tsx';
import { useNavigationEffects } from './use-navigation-effects.ts';

const mainId = 'main';

export interface FrameLayoutProps {
  /** The route of what is shown; `undefined` for an unknown path. */
  readonly route: Pick<PageRoute, 'path' | 'title' | 'frame'> | undefined;
  readonly location: Pick<Location, 'pathname' | 'hash'>;
  /** The next page is on its way. */
  readonly isLeaving: boolean;
  readonly children: ReactNode;
}

/** Draws the surroundings that the current route asks for; an unknown path gets those of the site. */
export function FrameLayout({ route, location, isLeaving, children }: FrameLayoutProps) {
  const frame = route?.frame ?? 'site';
  const { supportAddress } = useSiteSettings();
  useNavigationEffects(route, location);
  return (
    <div className={styles.frame}>
      {frame !== 'bare' && (
        <a className={styles.skipLink} href={`#${mainId}`}>
          Skip to the content
        </a>
      )}
      {frame === 'site' && <SiteHeader />}
      {frame === 'privacy' && <PrivacyHeader />}
      {frame === 'bare' ? (
        <div className={styles.main}>{children}</div>
      ) : (
        <main id={mainId} className={styles.main} tabIndex={-1}>
          {children}
        </main>
      )}
      {frame !== 'bare' && <SiteFooter supportAddress={supportAddress} />}
      <LoadingBar isLoading={isLeaving} />
      <LazyToaster />
    </div>
  );
}

import type { PageRoute } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { PrivacyHeader, SiteFooter, SiteHeader } from '@daybook/ui';
import { Outlet, ScrollRestoration, useMatches } from '../router/react-router.ts';
import { LazyToaster } from '../toaster/lazy-toaster.tsx';
import styles from './frame-layout.module.css';
import { LoadingBar } from './loading-bar.tsx';
import { useNavigationEffects } from './use-navigation-effects.ts';

const mainId = 'main';

/** Draws the surroundings that the current route asks for; an unknown path gets those of the site. */
export function FrameLayout() {
  const shown = useMatches().at(-1)?.handle as { readonly route: PageRoute } | undefined;
  const frame = shown?.route.frame ?? 'site';
  const { supportAddress } = useSiteSettings();
  useNavigationEffects(shown?.route);
  return (
    <div className={styles.frame}>
      {frame !== 'bare' && (
        <a className={styles.skipLink} href={`#${mainId}`}>
          Skip to the content
        </a>
      )}
      {frame === 'site' && <SiteHeader />}
      {frame === 'privacy' && <PrivacyHeader />}
      <main id={mainId} className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      {frame !== 'bare' && <SiteFooter supportAddress={supportAddress} />}
      <LoadingBar />
      <ScrollRestoration />
      <LazyToaster />
    </div>
  );
}

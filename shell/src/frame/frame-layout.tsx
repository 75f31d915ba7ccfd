import type { Frame } from '@daybook/contract/release';
import { useSiteSettings } from '@daybook/platform';
import { PrivacyHeader, SiteFooter, SiteHeader, VisuallyHidden } from '@daybook/ui';
import { memo, type ReactNode } from 'react';
import { LazyToaster } from '../toaster/lazy-toaster.tsx';
import styles from './frame-layout.module.css';

const mainId = 'main';

interface FrameLayoutProps {
  /** The frame of the current route; an unknown path gets that of the site. */
  readonly frame: Frame | undefined;
  /** True while the next page is loading: shown and announced if it takes longer than an instant. */
  readonly isLeaving: boolean;
  readonly children: ReactNode;
}

/** Header, footer and notifications around a page. */
export const FrameLayout = memo(function FrameLayout({ frame = 'site', isLeaving, children }: FrameLayoutProps) {
  const { supportAddress } = useSiteSettings();
  return (
    <div className={styles.frame} data-frame={frame}>
      {frame !== 'bare' && (
        <a className={styles.skipLink} href={`#${mainId}`}>
          Skip to content
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
      <div aria-live="polite">
        {isLeaving && (
          <div className={styles.loadingBar}>
            <VisuallyHidden>Loading the page</VisuallyHidden>
          </div>
        )}
      </div>
      <LazyToaster />
    </div>
  );
});

import type { ReactNode } from 'react';
import styles from './page-heading.module.css';

export interface PageHeadingProps {
  readonly children: ReactNode;
  /** One or two sentences that say what the page is for. */
  readonly lead?: ReactNode;
}

/** The page's one h1. It can take focus, so that a screen reader reads it when the shell has changed the page. */
export function PageHeading({ children, lead }: PageHeadingProps) {
  return (
    <div className={styles.block}>
      <h1 className={styles.heading} tabIndex={-1}>
        {children}
      </h1>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}

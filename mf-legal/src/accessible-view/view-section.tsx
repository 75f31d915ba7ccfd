import type { ReactNode } from 'react';
import styles from './accessible-view.module.css';

interface ViewSectionProperties {
  /** The anchor that the contents lead to. */
  readonly id: string;
  readonly heading: string;
  readonly children: ReactNode;
}

/** A part of the accessible view. Its heading takes the focus when a link leads to it, so that screen readers read on from there. */
export function ViewSection({ id, heading, children }: ViewSectionProperties) {
  return (
    <section className={styles.section}>
      <h2 id={id} tabIndex={-1}>
        {heading}
      </h2>
      {children}
    </section>
  );
}

import type { ReactNode } from 'react';
import { SideBySide, type SideBySideProps } from '../side-by-side/side-by-side.tsx';
import styles from './introduction.module.css';

export interface IntroductionProps extends Pick<SideBySideProps, 'align'> {
  /** What the page is, said above its heading. */
  readonly label?: ReactNode;
  readonly heading: string;
  readonly lead: string;
  /** Stands beside the words; a class of its own says how wide it may become. */
  readonly picture: ReactNode;
  /** What follows the lead: reasons, and the way on. */
  readonly children?: ReactNode;
}

/** How a page of the wide kind begins: what it offers, in large type, beside a picture of it. */
export function Introduction({ label, heading, lead, picture, align = 'center', children }: IntroductionProps) {
  return (
    <SideBySide align={align} className={styles.introduction}>
      <div className={styles.words}>
        {label}
        <h1 className={styles.heading} tabIndex={-1}>
          {heading}
        </h1>
        <p className={styles.lead}>{lead}</p>
        {children}
      </div>
      {picture}
    </SideBySide>
  );
}

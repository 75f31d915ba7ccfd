import { site } from '@daybook/contract';
import { classNames } from '../class-names.ts';
import styles from './logo.module.css';
import { wordmark } from './wordmark.ts';

export interface LogoProps {
  readonly className?: string | undefined;
}

/**
 * Mark and name. The mark is a D made of a ledger's double margin line and half a sun: turned a quarter
 * to the left, the day rises over the double rule that closes an account. Drawn in the text's colour and the accent.
 */
export function Logo({ className }: LogoProps) {
  return (
    <svg className={classNames(styles.logo, className)} viewBox="0 0 526 100" role="img" aria-label={site.name}>
      <path className={styles.margin} d="M0 6h6v76H0zM13 6h6v76h-6z" />
      <path className={styles.day} d="M26 6a38 38 0 0 1 0 76z" />
      <path transform="translate(90 77)" d={wordmark} />
    </svg>
  );
}

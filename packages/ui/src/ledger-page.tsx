import { site } from '@daybook/contract/site';
import { classNames } from './class-names.ts';
import styles from './ledger-page.module.css';

interface LedgerPageProps {
  /** Beside the site's name. */
  readonly heading: string;
  /** In the first row. */
  readonly entry?: string;
  readonly className?: string | undefined;
}

export function LedgerPage({ heading, entry, className }: LedgerPageProps) {
  return (
    <svg
      className={classNames(styles.page, className)}
      viewBox="0 0 520 340"
      width="520"
      height="340"
      aria-hidden="true"
    >
      <path
        className={styles.rule}
        d="M.5 340V.5h519V340M432.5 52v288M.5 75.5h519m0 48H.5m0 48h519m0 48H.5m0 48h519m0 48H.5"
      />
      <path className={styles.margin} d="M0 48.5h520M0 51.5h520M104.5 52v288M107.5 52v288" />
      <g className={styles.masthead}>
        <text x="24" y="32">
          {site.name}
        </text>
        <text x="496" y="32" textAnchor="end">
          {heading}
        </text>
        <text className={styles.entry} x="126" y="106">
          {entry}
        </text>
      </g>
    </svg>
  );
}

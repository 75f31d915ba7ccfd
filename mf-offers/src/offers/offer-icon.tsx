import type { OfferId } from '@daybook/contract';
import styles from './offer-icon.module.css';

/** Line drawings on a grid of 48, one for each offer. */
const drawings: Readonly<Record<OfferId, string>> = {
  grocery: 'M8 19h32l-4 20H12zM15 19l7-11M33 19l-7-11M18 26v7M24 26v7M30 26v7',
  vivint: 'M7 23 24 9l17 14M12 20v19h24V20M24 23l7 3v4c0 4-3 7-7 8-4-1-7-4-7-8v-4z',
  audien: 'M15 20a10 10 0 1 1 20 1c0 7-6 8-7 13-1 4-4 6-7 5M20 20a5 5 0 1 1 9 3c-2 2-4 3-3 6M9 13c-2 5-2 10 0 15',
  tmobile: 'M7 18h34v22H7zM7 26h34M24 18v22M24 18c-8 0-12-4-9-8s9 2 9 8c0-6 6-12 9-8s-1 8-9 8',
};

/** Decoration beside an offer; its title says the same in words. */
export function OfferIcon({ id }: { readonly id: OfferId }) {
  return (
    <svg className={styles.icon} viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" focusable="false">
      <path d={drawings[id]} />
    </svg>
  );
}

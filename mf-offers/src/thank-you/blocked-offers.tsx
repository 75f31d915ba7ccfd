import type { OfferId } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { Panel } from '@daybook/ui';
import { offers } from '../offers/offers.ts';
import styles from './blocked-offers.module.css';
import { blockedOffersCopy } from './thank-you-copy.ts';

const headingId = 'blocked-offers';

/** The chosen offers whose tab the browser did not let open, as links: a click on a link is always let through. */
export function BlockedOffers({ ids }: { readonly ids: readonly OfferId[] }) {
  const { sponsorAddresses } = useSiteSettings();
  return (
    <Panel tone="notice" aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        {blockedOffersCopy.heading}
      </h2>
      <p>{blockedOffersCopy.text}</p>
      {/* biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given */}
      <ul role="list" className={styles.list}>
        {offers
          .filter(({ id }) => ids.includes(id))
          .map(({ id, title, sponsor }) => (
            <li key={id}>
              <a
                className={styles.link}
                href={sponsorAddresses[id]}
                target="_blank"
                rel="noopener noreferrer sponsored"
              >
                {title}
              </a>
              <span className={styles.sponsor}>
                {blockedOffersCopy.sponsoredBy} {sponsor}
              </span>
            </li>
          ))}
      </ul>
    </Panel>
  );
}

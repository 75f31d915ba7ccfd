import type { OfferId } from '@daybook/contract';
import { useSiteSettings } from '@daybook/platform';
import { ButtonLink, Panel } from '@daybook/ui';
import { offers } from '../offers/offers.ts';
import styles from './bonus-offer.module.css';
import { landingCopy } from './offer-landing-copy.ts';

interface BonusOfferProperties {
  readonly id: OfferId;
  readonly heading: string;
  readonly text: string;
}

/** The way to a sponsor's own website, in a new tab. */
export function BonusOffer({ id, heading, text }: BonusOfferProperties) {
  const { sponsorAddresses } = useSiteSettings();
  const sponsor = offers.find((offer) => offer.id === id)?.sponsor ?? id;
  return (
    <Panel aria-labelledby="bonus-offer">
      <h2 id="bonus-offer">{heading}</h2>
      <p>{text}</p>
      <ButtonLink
        href={sponsorAddresses[id]}
        size="large"
        target="_blank"
        rel="noopener noreferrer sponsored"
        aria-describedby="bonus-offer-tab"
      >
        {landingCopy.seeOffer(sponsor)}
      </ButtonLink>
      <p id="bonus-offer-tab" className={styles.note}>
        {landingCopy.newTab}
      </p>
    </Panel>
  );
}

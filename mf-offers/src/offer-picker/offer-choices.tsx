import type { OfferId } from '@daybook/contract';
import { Checkbox, Tooltip } from '@daybook/ui';
import { OfferIcon } from '../offers/offer-icon.tsx';
import { offers } from '../offers/offers.ts';
import styles from './offer-choices.module.css';
import { pickerCopy } from './offer-picker-copy.ts';

interface OfferChoicesProperties {
  readonly selected: readonly OfferId[];
  readonly onChoice: (id: OfferId, chosen: boolean) => void;
  /** Id of the message that says what is wrong with the choice, if anything is. */
  readonly problemId: string | undefined;
}

/** The four offers as checkboxes, marked as sponsored before any of them is read. */
export function OfferChoices({ selected, onChoice, problemId }: OfferChoicesProperties) {
  return (
    <fieldset className={styles.sheet} aria-describedby={problemId}>
      <legend className={styles.legend}>{pickerCopy.legend}</legend>
      <div className={styles.disclosure}>
        <Tooltip content={pickerCopy.disclosureDetail}>
          <button type="button" className={styles.badge}>
            {pickerCopy.disclosure}
          </button>
        </Tooltip>
        {pickerCopy.disclosureExplanation}
      </div>
      {offers.map(({ id, title, description, sponsor }) => (
        <div key={id} className={styles.offer}>
          <Checkbox
            id={`offer-${id}`}
            name="offers"
            label={title}
            description={`${description}\n${pickerCopy.sponsoredBy} ${sponsor}.`}
            checked={selected.includes(id)}
            onChange={(chosen) => onChoice(id, chosen)}
          />
          <OfferIcon id={id} />
        </div>
      ))}
    </fieldset>
  );
}

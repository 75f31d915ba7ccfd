import { ButtonLink, Panel } from '@daybook/ui';
import { LabelledHeading } from '../labelled-heading/labelled-heading.tsx';
import { offerPickerAddress } from '../visitor/journey-addresses.ts';
import type { Visitor } from '../visitor/visitor.ts';
import styles from './invitation.module.css';
import { invitation } from './thank-you-copy.ts';

const headingId = 'bonus-offers';

/** The way to the bonus offers: signing up leads to this page, so this page leads on to the offers. */
export function Invitation({ visitor }: { readonly visitor: Visitor }) {
  return (
    <Panel aria-labelledby={headingId}>
      <div className={styles.invitation}>
        <div>
          <LabelledHeading id={headingId} label={invitation.label}>
            {invitation.heading}
          </LabelledHeading>
          <p>{invitation.text}</p>
        </div>
        <ButtonLink href={offerPickerAddress(visitor)} size="large">
          {invitation.action}
        </ButtonLink>
      </div>
    </Panel>
  );
}

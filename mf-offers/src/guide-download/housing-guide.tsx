import { useSiteSettings } from '@daybook/platform';
import { ButtonLink, Panel } from '@daybook/ui';
import { LabelledHeading } from '../labelled-heading/labelled-heading.tsx';
import { housingGuideCopy } from './guide-copy.ts';
import styles from './housing-guide.module.css';

const headingId = 'housing-guide';

/** The bonus housing guide: an affiliate's link, in a new tab (product document, section 2). */
export function HousingGuide() {
  const { housingGuideAddress } = useSiteSettings();
  return (
    <Panel aria-labelledby={headingId}>
      <div>
        <LabelledHeading id={headingId} label={housingGuideCopy.label}>
          {housingGuideCopy.heading}
        </LabelledHeading>
        <p>{housingGuideCopy.text}</p>
      </div>
      <ButtonLink
        href={housingGuideAddress}
        variant="secondary"
        target="_blank"
        rel="noopener noreferrer sponsored"
        aria-describedby="housing-guide-tab"
      >
        {housingGuideCopy.action}
      </ButtonLink>
      <p id="housing-guide-tab" className={styles.note}>
        {housingGuideCopy.newTab}
      </p>
    </Panel>
  );
}

import { useSiteSettings } from '@daybook/platform';
import { ButtonLink, Panel } from '@daybook/ui';
import { housingGuideCopy } from './guide-copy.ts';
import styles from './housing-guide.module.css';

const headingId = 'housing-guide';

/** The bonus housing guide: an affiliate's link, in a new tab (product document, section 2). */
export function HousingGuide() {
  const { housingGuideAddress } = useSiteSettings();
  return (
    <Panel aria-labelledby={headingId}>
      <div>
        <p className={styles.label}>{housingGuideCopy.label}</p>
        <h2 id={headingId} className={styles.heading}>
          {housingGuideCopy.heading}
        </h2>
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
      <p id="housing-guide-tab" className={styles.label}>
        {housingGuideCopy.newTab}
      </p>
    </Panel>
  );
}

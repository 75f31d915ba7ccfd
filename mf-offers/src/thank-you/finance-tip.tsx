import { LabelledHeading } from '../labelled-heading/labelled-heading.tsx';
import styles from './finance-tip.module.css';
import { financeTip } from './thank-you-copy.ts';

const headingId = 'finance-tip';

/** A first piece of what the newsletter is about (product document, section 2). */
export function FinanceTip() {
  return (
    <aside aria-labelledby={headingId} className={styles.tip}>
      <LabelledHeading id={headingId} label={financeTip.label} size="small">
        {financeTip.heading}
      </LabelledHeading>
      <p>{financeTip.text}</p>
    </aside>
  );
}

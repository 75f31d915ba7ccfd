import styles from './finance-tip.module.css';
import { financeTip } from './thank-you-copy.ts';

const headingId = 'finance-tip';

/** A first piece of what the newsletter is about (product document, section 2). */
export function FinanceTip() {
  return (
    <aside aria-labelledby={headingId} className={styles.tip}>
      <p className={styles.label}>{financeTip.label}</p>
      <h2 id={headingId} className={styles.heading}>
        {financeTip.heading}
      </h2>
      <p>{financeTip.text}</p>
    </aside>
  );
}

import { Steps } from '../steps/steps.tsx';
import styles from './next-steps.module.css';
import { nextSteps } from './thank-you-copy.ts';

const headingId = 'next-steps';

/** Inbox, spam folder, and when the first issue arrives (product document, section 2). */
export function NextSteps() {
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        {nextSteps.heading}
      </h2>
      <Steps steps={nextSteps.steps} numbers="beside" />
    </section>
  );
}

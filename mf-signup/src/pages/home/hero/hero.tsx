import { Button, Container, Introduction, NeedsScript } from '@daybook/ui';
import type { SignupOpener } from '../../../signup/use-signup-modal.tsx';
import { homeCopy } from '../home-copy.ts';
import { SampleIssue } from '../sample-issue/sample-issue.tsx';
import styles from './hero.module.css';

/** What Daybook is, why to want it, and the way to get it, beside an issue to judge it by. */
export function Hero({ opener }: { readonly opener: SignupOpener }) {
  const { headline, lead, benefits, readers } = homeCopy.hero;
  return (
    <Container width="wide" className={styles.hero}>
      <Introduction align="start" heading={headline} lead={lead} picture={<SampleIssue />}>
        <ul className={styles.benefits}>
          {benefits.map(({ term, text }) => (
            <li key={term} className={styles.benefit}>
              <strong>{term}</strong> {text}
            </li>
          ))}
        </ul>
        <div className={styles.action}>
          <Button size="large" {...opener}>
            {homeCopy.subscribe}
          </Button>
          <p className={styles.readers}>{readers}</p>
        </div>
        <NeedsScript>{homeCopy.needsScript}</NeedsScript>
      </Introduction>
    </Container>
  );
}

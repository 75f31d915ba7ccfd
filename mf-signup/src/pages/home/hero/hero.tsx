import { Button, Container } from '@daybook/ui';
import { homeCopy } from '../home-copy.ts';
import { SampleIssue } from '../sample-issue/sample-issue.tsx';
import styles from './hero.module.css';

/** What Daybook is, why to want it, and the way to get it, beside an issue to judge it by. */
export function Hero({ onSubscribe }: { readonly onSubscribe: () => void }) {
  const { headline, lead, benefits, readers } = homeCopy.hero;
  return (
    <Container width="wide" className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.headline} tabIndex={-1}>
          {headline}
        </h1>
        <p className={styles.lead}>{lead}</p>
        <ul className={styles.benefits}>
          {benefits.map(({ term, text }) => (
            <li key={term} className={styles.benefit}>
              <strong>{term}</strong> {text}
            </li>
          ))}
        </ul>
        <div className={styles.action}>
          <Button size="large" aria-haspopup="dialog" onClick={onSubscribe}>
            {homeCopy.subscribe}
          </Button>
          <p className={styles.readers}>{readers}</p>
        </div>
      </div>
      <SampleIssue />
    </Container>
  );
}

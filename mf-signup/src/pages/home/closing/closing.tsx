import { Button, Container, Cover, NeedsScript } from '@daybook/ui';
import type { SignupOpener } from '../../../signup/use-signup-modal.tsx';
import { homeCopy } from '../home-copy.ts';
import { BlankPage } from './blank-page.tsx';
import styles from './closing.module.css';

/** The second way in, once the features are read: a page of the ledger with nothing on it yet. */
export function Closing({ opener }: { readonly opener: SignupOpener }) {
  const { heading, text } = homeCopy.closing;
  return (
    <Cover className={styles.band} aria-labelledby="closing-heading">
      <Container width="wide" className={styles.layout}>
        <div className={styles.words}>
          <h2 id="closing-heading" className={styles.heading}>
            {heading}
          </h2>
          <p className={styles.text}>{text}</p>
          <Button size="large" {...opener}>
            {homeCopy.subscribe}
          </Button>
          <NeedsScript>{homeCopy.needsScript}</NeedsScript>
        </div>
        <BlankPage className={styles.page} />
      </Container>
    </Cover>
  );
}

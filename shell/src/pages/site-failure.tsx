import { Button, Container, PageHeading } from '@daybook/ui';
import styles from './plain-page.module.css';

/** Stands in for the whole site where its own frame has failed: the last resort, without anything that might fail again. */
export function SiteFailure() {
  return (
    <main>
      <Container width="narrow">
        <div className={styles.page}>
          <PageHeading lead="This page has stopped working. Reloading it usually helps.">
            Something went wrong
          </PageHeading>
          <p className={styles.actions}>
            <Button onClick={() => location.reload()}>Reload the page</Button>
          </p>
        </div>
      </Container>
    </main>
  );
}

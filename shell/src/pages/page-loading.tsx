import { Container, Spinner } from '@daybook/ui';
import styles from './plain-page.module.css';

/** Stands in while the first page of a visit loads. */
export function PageLoading() {
  return (
    <Container>
      <div className={styles.page}>
        <Spinner label="Loading the page" />
      </div>
    </Container>
  );
}

import { ButtonLink, Container, PageHeading } from '@daybook/ui';
import styles from './plain-page.module.css';

/** Any path that no remote claims; heading and hint are those of section 2 of the product document. */
export function NotFoundPage() {
  return (
    <Container width="narrow">
      <div className={styles.page}>
        <PageHeading lead="Did you forget to add the page to the router?">404 Page Not Found</PageHeading>
        <p className={styles.actions}>
          <ButtonLink href="/">Return to the home page</ButtonLink>
        </p>
      </div>
    </Container>
  );
}

import { ButtonLink, Container, PageHeading } from '@daybook/ui';
import { notFoundCopy } from './offer-picker-copy.ts';
import styles from './registration-not-found.module.css';

/** The page for an address without a registration id (product document, sections 2 and 8). */
export function RegistrationNotFound() {
  return (
    <Container width="narrow" className={styles.page}>
      <PageHeading lead={notFoundCopy.lead}>{notFoundCopy.heading}</PageHeading>
      <p className={styles.reassurance}>{notFoundCopy.reassurance}</p>
      <ButtonLink href="/">{notFoundCopy.action}</ButtonLink>
    </Container>
  );
}

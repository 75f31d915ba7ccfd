import { Container, NeedsScript, PageHeading, Spinner } from '@daybook/ui';
import styles from './offer-picker.module.css';
import { loadingLabel, needsScript, pickerCopy } from './offer-picker-copy.ts';

/** Stands in for the offers until the page knows its address. */
export function OffersLoading() {
  return (
    <Container className={styles.page}>
      <PageHeading>{pickerCopy.heading}</PageHeading>
      <p role="status" className={styles.loading}>
        <Spinner />
        {loadingLabel}
      </p>
      <NeedsScript>{needsScript}</NeedsScript>
    </Container>
  );
}

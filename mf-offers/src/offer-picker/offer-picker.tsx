import { Button, Container, NeedsScript, PageHeading, Problem, Spinner, TooltipProvider } from '@daybook/ui';
import { OfferChoices } from './offer-choices.tsx';
import styles from './offer-picker.module.css';
import { loadingLabel, needsScript, pickerCopy } from './offer-picker-copy.ts';
import { type RegisteredVisitor, useOfferPicker } from './use-offer-picker.ts';

const problemId = 'offers-problem';

interface OfferPickerProperties {
  /** `undefined` while the page's address is not known yet. */
  readonly visitor: RegisteredVisitor | undefined;
}

/** The picker of the bonus offers (product document, sections 2 and 4): any number of them, or none. */
export function OfferPicker({ visitor }: OfferPickerProperties) {
  const { selected, state, choose, proceed, decline } = useOfferPicker(visitor);
  const nothingChosen = state === 'nothing-chosen';
  return (
    <Container className={styles.page}>
      <PageHeading lead={pickerCopy.lead}>{pickerCopy.heading}</PageHeading>
      <TooltipProvider>
        <OfferChoices selected={selected} onChoice={choose} problemId={nothingChosen ? problemId : undefined} />
      </TooltipProvider>
      {nothingChosen && (
        <div className={styles.problem}>
          <Problem id={problemId}>{pickerCopy.nothingChosen}</Problem>
        </div>
      )}
      <div className={styles.actions}>
        <Button size="large" busy={state === 'proceeding'} busyLabel={pickerCopy.proceeding} onClick={proceed}>
          {pickerCopy.proceed}
        </Button>
        <Button
          variant="secondary"
          size="large"
          busy={state === 'declining'}
          busyLabel={pickerCopy.declining}
          onClick={decline}
        >
          {pickerCopy.decline}
        </Button>
      </div>
      <p className={styles.note}>{pickerCopy.newTabsNote}</p>
      <NeedsScript>{needsScript}</NeedsScript>
      {!visitor && (
        <p role="status" className={styles.loading}>
          <Spinner />
          {loadingLabel}
        </p>
      )}
    </Container>
  );
}

import { Container, PageHeading } from '@daybook/ui';
import type { Choice } from './choice.ts';
import { ChoiceForm } from './choice-form.tsx';
import styles from './choice-page.module.css';
import { Confirmation } from './confirmation.tsx';
import { SupportNote } from './support-note.tsx';
import { useChoiceForm } from './use-choice-form.ts';

/**
 * The page of a privacy choice (product document, section 2): an explanation and a form, which the success
 * panel replaces for good once the request is submitted.
 */
export function ChoicePage({ choice }: { readonly choice: Choice }) {
  const form = useChoiceForm(choice);
  return (
    <Container width="narrow" className={styles.page}>
      {form.status === 'submitted' ? (
        <>
          <PageHeading>{choice.heading}</PageHeading>
          <Confirmation confirmation={choice.confirmation} />
        </>
      ) : (
        <>
          <PageHeading lead={choice.lead}>{choice.heading}</PageHeading>
          <ChoiceForm choice={choice} form={form} />
        </>
      )}
      <SupportNote note={choice.supportNote} />
    </Container>
  );
}

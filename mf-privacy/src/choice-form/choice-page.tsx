import { Container, PageHeading } from '@daybook/ui';
import { Background } from './background.tsx';
import type { Choice } from './choice.ts';
import { ChoiceForm } from './choice-form.tsx';
import { recordedSupportNote } from './choice-form-copy.ts';
import styles from './choice-page.module.css';
import { Confirmation } from './confirmation.tsx';
import { SupportNote } from './support-note.tsx';
import { useChoiceForm } from './use-choice-form.ts';

/**
 * The page of a privacy choice (product document, section 2): a form, which the success panel replaces for
 * good once the request is submitted, and beside it what the choice means.
 */
export function ChoicePage({ choice }: { readonly choice: Choice }) {
  const form = useChoiceForm(choice);
  const submitted = form.status === 'submitted';
  return (
    <Container width="wide" className={styles.page}>
      <PageHeading lead={submitted ? undefined : choice.lead}>{choice.heading}</PageHeading>
      <div className={styles.columns}>
        <div>
          {submitted ? (
            <Confirmation confirmation={choice.confirmation} reference={form.reference} />
          ) : (
            <ChoiceForm choice={choice} form={form} />
          )}
          <SupportNote
            note={form.reference ? (choice.recordedSupportNote ?? recordedSupportNote) : choice.supportNote}
          />
        </div>
        <Background passages={choice.background} />
      </div>
    </Container>
  );
}

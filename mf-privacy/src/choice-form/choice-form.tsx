import { Button, NeedsScript, Panel, Problem } from '@daybook/ui';
import { Fragment } from 'react';
import type { Choice } from './choice.ts';
import styles from './choice-form.module.css';
import { busyLabel, needsScript } from './choice-form-copy.ts';
import sheet from './sheet.module.css';
import type { useChoiceForm } from './use-choice-form.ts';

interface ChoiceFormProperties {
  readonly choice: Choice;
  readonly form: ReturnType<typeof useChoiceForm>;
}

/** The form of a privacy choice. The browser's own validation is off: the messages are those of the product document. */
export function ChoiceForm({ choice, form }: ChoiceFormProperties) {
  return (
    <Panel className={sheet.sheet}>
      <form
        className={styles.form}
        // Nothing is to be sent, nor put into the address, by a press before the script is there.
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit();
        }}
      >
        <p>{choice.explanation}</p>
        {form.fields.map((field) => (
          <Fragment key={field.name}>{field.draw({ problem: form.problemOf(field), onChange: form.change })}</Fragment>
        ))}
        {form.status === 'failed' && <Problem>{form.failure}</Problem>}
        <div>
          <Button className={sheet.action} type="submit" busy={form.status === 'submitting'} busyLabel={busyLabel}>
            {choice.submitLabel}
          </Button>
          <NeedsScript>{needsScript}</NeedsScript>
        </div>
      </form>
    </Panel>
  );
}

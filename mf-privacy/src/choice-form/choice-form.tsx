import { Button, Panel, Problem } from '@daybook/ui';
import type { Choice } from './choice.ts';
import styles from './choice-form.module.css';
import { busyLabel, failureMessage } from './choice-form-copy.ts';
import type { useChoiceForm } from './use-choice-form.ts';

interface ChoiceFormProperties {
  readonly choice: Choice;
  readonly form: ReturnType<typeof useChoiceForm>;
}

/** The form of a privacy choice. The browser's own validation is off: the messages are those of the product document. */
export function ChoiceForm({ choice, form }: ChoiceFormProperties) {
  return (
    <Panel>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit();
        }}
      >
        {choice.explanation.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {choice.fields.map(({ name, Control }) => (
          <Control
            key={name}
            answer={form.answerOf(name)}
            problem={form.problemOf(name)}
            onAnswer={(answer) => form.answer(name, answer)}
          />
        ))}
        {form.status === 'failed' && <Problem>{failureMessage}</Problem>}
        <div>
          <Button type="submit" busy={form.status === 'submitting'} busyLabel={busyLabel}>
            {choice.submitLabel}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

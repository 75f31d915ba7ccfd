import { isOneMailbox, normalizeEmailAddress } from '@daybook/contract';
import { TextField } from '@daybook/ui';
import { type FieldControlProperties, fieldOf } from './field.tsx';

/** Wording of section 5 of the product document; unlike the signup's it has no full stop. */
export const invalidEmailMessage = 'Please enter a valid email address';

const copy = { label: 'Email address', hint: 'The address you subscribed with.' } as const;

const id = 'email';

/** The address that a choice is about, by the rule of the API: it contains an @ and names one mailbox. */
export const emailField = fieldOf<string>({
  name: 'email',
  focusId: id,
  initialAnswer: '',
  problemWith: (answer) =>
    isOneMailbox(normalizeEmailAddress(answer))
      ? undefined
      : { message: invalidEmailMessage, shownAs: 'text and alert' },
  Control: EmailControl,
});

function EmailControl({ answer, problem, onAnswer }: FieldControlProperties<string>) {
  return (
    <TextField
      id={id}
      name="email"
      type="email"
      label={copy.label}
      hint={copy.hint}
      autoComplete="email"
      required
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  );
}

import { privacyRequestLimits, tooLongMessages } from '@daybook/contract';
import { TextField } from '@daybook/ui';
import { type FieldControlProperties, fieldOf } from './field.tsx';

/** The product document requires the name, but gives no text for a missing one. */
export const missingNameMessage = 'Please enter your full name';

const label = 'Full name';

const id = 'name';

/** Who makes a privacy rights request. */
export const nameField = fieldOf<string>({
  name: 'name',
  focusId: id,
  initialAnswer: '',
  problemWith: (answer) => {
    const name = answer.trim();
    if (name === '') return { message: missingNameMessage, shownAs: 'text' };
    return name.length > privacyRequestLimits.name ? { message: tooLongMessages.name, shownAs: 'text' } : undefined;
  },
  Control: NameControl,
});

function NameControl({ answer, problem, onAnswer }: FieldControlProperties<string>) {
  return (
    <TextField
      id={id}
      name="name"
      label={label}
      autoComplete="name"
      required
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  );
}

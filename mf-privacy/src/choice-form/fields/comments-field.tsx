import { privacyRequestLimits, tooLongMessages } from '@daybook/contract';
import { TextArea } from '@daybook/ui';
import { type FieldControlProperties, fieldOf } from './field.tsx';

const copy = {
  label: 'Additional comments (optional)',
  hint: 'Anything that helps us understand your request. Please leave out passwords and account numbers.',
} as const;

const id = 'comments';

/** Free text beside a privacy rights request. */
export const commentsField = fieldOf<string>({
  name: 'comments',
  focusId: id,
  initialAnswer: '',
  problemWith: (answer) =>
    answer.trim().length > privacyRequestLimits.comments
      ? { message: tooLongMessages.comments, shownAs: 'text' }
      : undefined,
  Control: CommentsControl,
});

function CommentsControl({ answer, problem, onAnswer }: FieldControlProperties<string>) {
  return (
    <TextArea
      id={id}
      name="comments"
      label={copy.label}
      hint={copy.hint}
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  );
}

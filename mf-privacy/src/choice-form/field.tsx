import { isOneMailbox, normalizeEmailAddress } from '@daybook/contract';
import { TextField } from '@daybook/ui';
import type { ComponentType, ReactNode } from 'react';

/** A text, or any number of values out of a list. */
export type Answer = string | readonly string[];

interface FieldControlProperties<A extends Answer> {
  readonly answer: A;
  /** Why the answer was refused, to be shown beside the field. */
  readonly problem: string | undefined;
  readonly onAnswer: (answer: A) => void;
}

/** What a field asks, which answers it takes, and how it is drawn. */
interface FieldDefinition<A extends Answer> {
  /** Name of the answer in the logged details. */
  readonly name: string;
  /** Id of the element that takes the focus when the answer is refused. */
  readonly focusId: string;
  readonly initialAnswer: A;
  /** Why the answer can't be taken, `undefined` for one that can. */
  readonly problemWith: (answer: A) => Problem | undefined;
  readonly Control: ComponentType<FieldControlProperties<A>>;
}

/** `alert` where the product document asks for a native alert with the same text (section 8). */
interface Problem {
  readonly message: string;
  readonly shownAs: 'text' | 'text and alert';
}

/**
 * A field with an answer in it. It keeps to itself which kind of answer that is, so that a form can hold
 * fields of all kinds.
 */
export interface Field {
  readonly name: string;
  readonly focusId: string;
  readonly answer: Answer;
  readonly problem: Problem | undefined;
  /** Draws the field; `onChange` takes the field with its next answer. */
  readonly draw: (drawn: { problem: string | undefined; onChange: (field: Field) => void }) => ReactNode;
}

/** The field of a definition, with its initial answer where no other is given. */
export function fieldOf<A extends Answer>(definition: FieldDefinition<A>, answer = definition.initialAnswer): Field {
  const { name, focusId, problemWith, Control } = definition;
  return {
    name,
    focusId,
    answer,
    problem: problemWith(answer),
    draw: ({ problem, onChange }) => (
      <Control answer={answer} problem={problem} onAnswer={(next) => onChange(fieldOf(definition, next))} />
    ),
  };
}

/** Wording of section 5 of the product document; unlike the signup's it has no full stop. */
export const invalidEmailMessage = 'Please enter a valid email address';

/** The address that a choice is about, by the rule of the API: it contains an @ and names one mailbox. */
export const emailField = fieldOf<string>({
  name: 'email',
  focusId: 'email',
  initialAnswer: '',
  problemWith: (answer) =>
    isOneMailbox(normalizeEmailAddress(answer))
      ? undefined
      : { message: invalidEmailMessage, shownAs: 'text and alert' },
  Control: ({ answer, problem, onAnswer }) => (
    <TextField
      id="email"
      name="email"
      type="email"
      label="Email address"
      hint="The address you subscribed with."
      autoComplete="email"
      required
      value={answer}
      onChange={onAnswer}
      error={problem}
    />
  ),
});

import { isOneMailbox, normalizeEmailAddress, type PrivacyRequestKind } from '@daybook/contract';
import { TextField } from '@daybook/ui';
import type { ComponentProps, ComponentType, FunctionComponent } from 'react';

/**
 * A privacy choice as its page presents it: all that tells one choice's page from another's. The form's
 * states, checks, alerts and log are the same for each (docs/product.md, Flows, "Privacy-choice forms").
 */
export interface Choice {
  /** As the API names it. */
  readonly kind: PrivacyRequestKind;
  /** What the visitor asks for, as the log names it. */
  readonly requestName: string;
  readonly heading: string;
  readonly lead: string;
  /** What the visitor should know before deciding: what it does, and how long processing takes. */
  readonly explanation: string;
  /** In the order in which they are asked and checked. */
  readonly fields: readonly Field[];
  readonly submitLabel: string;
  /** What replaces the form once the request is in; the first paragraph says how long processing takes. */
  readonly confirmation: { readonly heading: string; readonly paragraphs: readonly string[] };
  /** When to write to support, where that is another occasion than to make this request; the address follows it. */
  readonly supportNote?: string;
  /** The same once the request is stored under a number, where that is another occasion than a question about it. */
  readonly recordedSupportNote?: string;
  /** What the words on the page mean, and what will and won't change: a Markdown file in `content/`. */
  readonly Background: FunctionComponent<{
    readonly components?: { readonly ul?: ComponentType<ComponentProps<'ul'>> };
  }>;
}

/** A text, or any number of values out of a list. */
export type Answer = string | readonly string[];

/** `alert` where docs/product.md asks for a native alert with the same text (Errors). */
interface FieldProblem {
  readonly message: string;
  readonly shownAs: 'text' | 'text and alert';
}

/**
 * What a field asks, which answers it takes, and how it is drawn. The answer itself is in the form's controls, so that
 * one that was typed before the page was hydrated counts.
 */
export interface Field {
  /** Name of the form's control and of the answer in the logged details. */
  readonly name: string;
  /** Id of the element that takes the focus when the answer is rejected. */
  readonly focusId: string;
  readonly answerIn: (form: FormData) => Answer;
  /** Why the answer can't be taken, `undefined` for one that can. */
  readonly problemIn: (form: FormData) => FieldProblem | undefined;
  readonly Control: ComponentType<{ readonly problem: string | undefined }>;
}

/** A field whose answer is a text, without blanks around it. */
export function textField({
  name,
  problemWith,
  ...field
}: Pick<Field, 'name' | 'focusId' | 'Control'> & {
  readonly problemWith?: (answer: string) => FieldProblem | undefined;
}): Field {
  const answerIn = (form: FormData) => String(form.get(name) ?? '').trim();
  return { ...field, name, answerIn, problemIn: (form) => problemWith?.(answerIn(form)) };
}

/** Wording of docs/product.md (Validation); unlike the signup's it has no full stop. */
export const invalidEmailMessage = 'Please enter a valid email address';

/** The address that a choice is about, by the rule of the API: it contains an @ and names one mailbox. */
export const emailField = textField({
  name: 'email',
  focusId: 'email',
  problemWith: (answer) =>
    isOneMailbox(normalizeEmailAddress(answer))
      ? undefined
      : { message: invalidEmailMessage, shownAs: 'text and alert' },
  Control: ({ problem }) => (
    <TextField
      id="email"
      name="email"
      type="email"
      label="Email address"
      hint="The address you subscribed with."
      autoComplete="email"
      required
      error={problem}
    />
  ),
});

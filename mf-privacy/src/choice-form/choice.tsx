import { emailOf } from '@daybook/contract/email';
import type { PrivacyRequestKind } from '@daybook/contract/privacy-choices';
import { TextField } from '@daybook/ui';
import type { ComponentProps, ComponentType, FunctionComponent } from 'react';

/**
 * A privacy choice on its page: everything that differs between the pages. The form's states, validation, alerts and
 * log are shared (docs/product.md, Privacy choices).
 */
export interface Choice {
  /** Kind in the API. */
  readonly kind: PrivacyRequestKind;
  /** Name of the request in the log. */
  readonly requestName: string;
  readonly heading: string;
  readonly lead: string;
  /** Information before the decision: the effect, and the processing time. */
  readonly explanation: string;
  /** In the order of display and validation. */
  readonly fields: readonly Field[];
  readonly submitLabel: string;
  /** Replaces the form once the request is submitted; the first paragraph states the processing time. */
  readonly confirmation: { readonly heading: string; readonly paragraphs: readonly string[] };
  /** When to write to support, if for another reason than making this request; followed by the email. */
  readonly supportNote?: string;
  /** The same for a stored request with a reference number, if for another reason than a question about it. */
  readonly recordedSupportNote?: string;
  /** Explains the terms on the page and the effects of the choice: a Markdown file in `content/`. */
  readonly Background: FunctionComponent<{
    readonly components?: { readonly ul?: ComponentType<ComponentProps<'ul'>> };
  }>;
}

/** A text, or any number of values from a list. */
export type FieldValue = string | readonly string[];

/** `text and alert` if docs/product.md requires a native alert with the same text (Errors). */
interface ValidationError {
  readonly message: string;
  readonly shownAs: 'text' | 'text and alert';
}

/**
 * A field of the form: its control and validation. The value is read from the form's controls, so that text typed
 * before hydration counts.
 */
export interface Field {
  /** Name of the logged value, and of the form's controls: the first takes the focus when the value is rejected. */
  readonly name: string;
  /** The value is a list of the checked options; otherwise it is one text. */
  readonly isList?: boolean;
  /** Returns the value of typed text; it is trimmed without this. */
  readonly normalize?: (typed: string) => string;
  /** Returns why the value is rejected, `undefined` for a valid one; without it any value is valid. */
  readonly errorIn?: (value: FieldValue) => ValidationError | undefined;
  readonly Control: ComponentType<{ readonly error: string | undefined }>;
}

const trim = (typed: string) => typed.trim();

/** Returns the value of a field in the form, normalized. */
export const valueIn = (form: FormData, { name, isList, normalize = trim }: Field): FieldValue =>
  isList ? form.getAll(name).map(String) : normalize(String(form.get(name) ?? ''));

/** Text of docs/product.md (Validation); unlike the signup's it has no full stop. */
const invalidEmailMessage = 'Please enter a valid email address';

/** The email that a choice is about; empty if it is invalid. */
export const emailField: Field = {
  name: 'email',
  normalize: (typed) => emailOf(typed) ?? '',
  errorIn: (value) => (value ? undefined : { message: invalidEmailMessage, shownAs: 'text and alert' }),
  Control: ({ error }) => (
    <TextField
      id="email"
      name="email"
      type="email"
      label="Email address"
      hint="The address you subscribed with."
      autoComplete="email"
      required
      error={error}
    />
  ),
};

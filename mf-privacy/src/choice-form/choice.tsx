import { emailOf } from '@daybook/contract/email';
import type { PrivacyRequestKind } from '@daybook/contract/privacy-choices';
import { TextField } from '@daybook/ui';
import type { ComponentProps, ComponentType, FunctionComponent } from 'react';

/** Everything that differs between the pages of privacy choices. */
export interface Choice {
  readonly kind: PrivacyRequestKind;
  /** Name of the request in the log. */
  readonly requestName: string;
  readonly heading: string;
  readonly lead: string;
  /** Above the fields. */
  readonly explanation: string;
  /** In the order of display and validation. */
  readonly fields: readonly Field[];
  readonly submitLabel: string;
  readonly confirmation: { readonly heading: string; readonly paragraphs: readonly string[] };
  /** Before the support address, if to be written to for another reason than making this request. */
  readonly supportNote?: string;
  /** The same for a stored request. */
  readonly recordedSupportNote?: string;
  /** Explains terms and effects: a Markdown file in `content/`. */
  readonly Background: FunctionComponent<{
    readonly components?: { readonly ul?: ComponentType<ComponentProps<'ul'>> };
  }>;
}

/** A text, or the checked values of a list. */
export type FieldValue = string | readonly string[];

/** A field of the form. Its value is read from the controls, so that text typed before hydration counts. */
export interface Field {
  /** In the request, and of the form's controls. */
  readonly name: string;
  readonly isList?: boolean;
  /** Returns the value of typed text; it is trimmed without this. */
  readonly normalize?: (typed: string) => string;
  /** Returns why the value is rejected; without it any value is valid. */
  readonly errorIn?: (
    value: FieldValue,
  ) => { readonly message: string; readonly shownAs: 'text' | 'text and alert' } | undefined;
  readonly Control: ComponentType<{ readonly error: string | undefined }>;
}

const trim = (typed: string) => typed.trim();

export const valueIn = (form: FormData, { name, isList, normalize = trim }: Field): FieldValue =>
  isList ? form.getAll(name).map(String) : normalize(String(form.get(name) ?? ''));

/** Its value is empty if it is invalid. */
export const emailField: Field = {
  name: 'email',
  normalize: (typed) => emailOf(typed) ?? '',
  // Unlike the signup's message it has no full stop (docs/product.md, Validation).
  errorIn: (value) =>
    value ? undefined : { message: 'Please enter a valid email address', shownAs: 'text and alert' },
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

import type { FieldDefinition } from './fields/field-definition.ts';

/**
 * A privacy choice as its page presents it: all that tells one choice's page from another's. The form's
 * states, checks, alerts and log are the same for each (product document, section 4, "Privacy-choice forms").
 */
export interface Choice {
  /** What the visitor asks for, as the log names it. */
  readonly requestName: string;
  readonly heading: string;
  readonly lead: string;
  /** What the visitor should know before deciding, a paragraph each. */
  readonly explanation: readonly string[];
  readonly fields: readonly FieldDefinition[];
  readonly submitLabel: string;
  readonly confirmation: ChoiceConfirmation;
  /** When to write to support; the address follows it. */
  readonly supportNote: string;
}

/** What replaces the form once the request is in; the first paragraph says how long processing takes. */
export interface ChoiceConfirmation {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

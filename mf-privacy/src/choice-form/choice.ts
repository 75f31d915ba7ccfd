import type { PrivacyRequestKind } from '@daybook/contract';
import type { ComponentProps, ComponentType, FunctionComponent } from 'react';
import type { Field } from './field.tsx';

/**
 * A privacy choice as its page presents it: all that tells one choice's page from another's. The form's
 * states, checks, alerts and log are the same for each (product document, section 4, "Privacy-choice forms").
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
  readonly confirmation: ChoiceConfirmation;
  /** When to write to support, which is the sure way where the form sends nothing; the address follows it. */
  readonly supportNote: string;
  /** The same once the request is stored under a number, where that is another occasion than a question about it. */
  readonly recordedSupportNote?: string;
  /** What the words on the page mean, and what will and won't change: a Markdown file in `content/`. */
  readonly Background: FunctionComponent<{
    readonly components?: { readonly ul?: ComponentType<ComponentProps<'ul'>> };
  }>;
}

/** What replaces the form once the request is in; the first paragraph says how long processing takes. */
export interface ChoiceConfirmation {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

import type { OfferId } from '@daybook/contract';

interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** A sponsor's offer page in words (product document, section 2); the page itself is the same for all. */
export interface OfferLanding {
  readonly drawing: 'pendant' | 'tooth' | 'hearing';
  readonly heading: string;
  readonly lead: string;
  /** What the offer comes down to: `from`, `$9.95`, `a month`. */
  readonly figure: { readonly before?: string; readonly value: string; readonly after: string };
  readonly stepsHeading: string;
  readonly steps: readonly TitledText[];
  /** What we would ask before we said yes. */
  readonly questions: readonly TitledText[];
  /** Either a form, or the bonus offer to which the page leads. */
  readonly action:
    | { readonly kind: 'demo-form'; readonly heading: string; readonly button: string }
    | { readonly kind: 'bonus-offer'; readonly id: OfferId; readonly heading: string; readonly text: string };
}

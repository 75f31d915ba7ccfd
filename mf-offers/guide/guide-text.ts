/** A run of words in one style. */
export interface Span {
  readonly text: string;
  readonly style: 'regular' | 'strong' | 'emphasis';
  /** Where a press on it leads: a web address or a telephone number. */
  readonly link?: string | undefined;
}

/** A cell's or paragraph's words, in order. */
export type RichText = readonly Span[];

export interface ListItem {
  readonly text: RichText;
  /** A box to tick with a pen. */
  readonly box: boolean;
}

export interface Table {
  readonly kind: 'table';
  readonly head: readonly RichText[];
  readonly rows: readonly (readonly RichText[])[];
  readonly align: readonly ('left' | 'right')[];
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: RichText }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly ListItem[] }
  | { readonly kind: 'callout'; readonly text: RichText }
  | Table;

export interface Chapter {
  readonly title: string;
  /** Begins on a page of its own, however much room is left on the one before. */
  readonly ownPage: boolean;
  readonly blocks: readonly Block[];
}

/** A guide as its editor wrote it. */
export interface GuideText {
  readonly title: string;
  readonly subtitle: string;
  readonly chapters: readonly Chapter[];
}

/** A table whose header is one label: what a reader looks at first in a chapter. */
export function isGlance({ head }: Table): boolean {
  return head.length > 1 && head.slice(1).every((cell) => cell.length === 0);
}

/** The chapters about one kind of help each: those that begin at a glance. */
export function topicsOf({ chapters }: GuideText): readonly string[] {
  return chapters
    .filter(({ blocks }) => blocks.some((block) => block.kind === 'table' && isGlance(block)))
    .map(({ title }) => title);
}

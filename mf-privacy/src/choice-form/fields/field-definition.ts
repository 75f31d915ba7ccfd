import type { ComponentType } from 'react';

export interface FieldControlProperties {
  readonly answer: string;
  /** Why the answer was refused, to be shown beside the field. */
  readonly problem: string | undefined;
  readonly onAnswer: (answer: string) => void;
}

/** A field of a choice form: what it asks, which answers it takes, and how it is drawn. */
export interface FieldDefinition {
  /** Name of the answer in the logged details. */
  readonly name: string;
  /** Id of the element that takes the focus when the answer is refused. */
  readonly focusId: string;
  readonly initialAnswer: string;
  /** The message for an answer that can't be taken, `undefined` for one that can. */
  readonly problemWith: (answer: string) => string | undefined;
  readonly Control: ComponentType<FieldControlProperties>;
}

import { classNames } from '../class-names.ts';
import styles from './field.module.css';

export interface FieldNotes {
  /** Id of the field that the notes belong to. */
  readonly id: string;
  /** What to enter, before anything is wrong. */
  readonly hint?: string | undefined;
  /** What is wrong with the value; it is announced when it appears and stays until it is put right. */
  readonly error?: string | undefined;
}

const hintIdOf = (id: string) => `${id}-hint`;
const errorIdOf = (id: string) => `${id}-error`;

/** The `aria-describedby` of a field: the notes that it shows, the hint first. */
export function describedBy({ id, hint, error }: FieldNotes): string | undefined {
  return classNames(hint !== undefined && hintIdOf(id), error !== undefined && errorIdOf(id)) || undefined;
}

/** What to enter, where there is something to say. */
export function FieldHint({ id, hint }: Pick<FieldNotes, 'id' | 'hint'>) {
  if (hint === undefined) return null;
  return (
    <p id={hintIdOf(id)} className={styles.hint}>
      {hint}
    </p>
  );
}

/** What is wrong, right beside the field, in words and not by colour alone. */
export function FieldError({ id, error }: Pick<FieldNotes, 'id' | 'error'>) {
  if (error === undefined) return null;
  return (
    <p id={errorIdOf(id)} className={styles.error} role="alert">
      {error}
    </p>
  );
}

import type { AriaAttributes, ReactNode } from 'react';
import styles from './field.module.css';
import { describedBy, FieldError, FieldHint, type FieldNotes } from './field-notes.tsx';

/** What every field with a label above it is given. */
export interface FieldProps extends FieldNotes {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean | undefined;
  readonly value: string;
  /** Takes the value after a change. */
  readonly onChange: (value: string) => void;
}

export interface FieldFrameProps extends FieldNotes {
  readonly label: string;
  /** The control, with the attributes that `controlAttributes` gives it. */
  readonly children: ReactNode;
}

/** A control with its label and hint above it, and what is wrong right below it. */
export function FieldFrame({ id, label, hint, error, children }: FieldFrameProps) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <FieldHint id={id} hint={hint} />
      {children}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** What ties a control to its label and notes, and says whether its value is wrong. */
export function controlAttributes(
  notes: FieldNotes,
): { readonly id: string } & Pick<AriaAttributes, 'aria-invalid' | 'aria-describedby'> {
  return {
    id: notes.id,
    'aria-invalid': notes.error === undefined ? undefined : true,
    'aria-describedby': describedBy(notes),
  };
}

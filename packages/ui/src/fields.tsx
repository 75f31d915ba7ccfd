import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './fields.module.css';

export interface FieldNotes {
  /** Id of the field that the notes belong to. */
  readonly id: string;
  /** Instructions, shown before any error. */
  readonly hint?: string | undefined;
  /** Error message of the value; announced when it appears, and shown until the value is corrected. */
  readonly error?: string | undefined;
}

const hintIdOf = (id: string) => `${id}-hint`;
const errorIdOf = (id: string) => `${id}-error`;

/** Returns the `aria-describedby` of a field: the ids of its visible notes, the hint first. */
export function describedBy({ id, hint, error }: FieldNotes): string | undefined {
  return classNames(hint !== undefined && hintIdOf(id), error !== undefined && errorIdOf(id)) || undefined;
}

/** The instructions of a field, if it has any. */
export function FieldHint({ id, hint }: Pick<FieldNotes, 'id' | 'hint'>) {
  if (hint === undefined) return null;
  return (
    <p id={hintIdOf(id)} className={styles.hint}>
      {hint}
    </p>
  );
}

/** The error message next to a field: text, not only a colour. */
export function FieldError({ id, error }: Pick<FieldNotes, 'id' | 'error'>) {
  if (error === undefined) return null;
  return (
    <p id={errorIdOf(id)} className={styles.error} role="alert">
      {error}
    </p>
  );
}

interface LabelledProps extends FieldNotes {
  readonly label: string;
}

/** A control, with the attributes from `controlAttributes`, its label and hint above, and its error message below. */
function FieldFrame({ id, label, hint, error, children }: LabelledProps & { readonly children: ReactNode }) {
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

/** Returns the attributes that connect a control with its label and notes, and mark an invalid value. */
const controlAttributes = (notes: FieldNotes) => ({
  id: notes.id,
  'aria-invalid': notes.error === undefined ? undefined : true,
  'aria-describedby': describedBy(notes),
});

/**
 * A one-line text field. On a prerendered page leave the value of any field uncontrolled: the first render after
 * hydration would replace text that was typed before.
 */
export function TextField({ label, type = 'text', hint, error, ...input }: LabelledProps & ComponentProps<'input'>) {
  const notes = { id: input.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <input {...input} {...controlAttributes(notes)} className={styles.input} type={type} />
    </FieldFrame>
  );
}

/** A multi-line text field. Grows with its content in browsers that support it, and can be resized. */
export function TextArea({ label, hint, error, ...area }: LabelledProps & ComponentProps<'textarea'>) {
  const notes = { id: area.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <textarea {...area} {...controlAttributes(notes)} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}

export interface SelectProps extends LabelledProps, Omit<ComponentProps<'select'>, 'id'> {
  /** The first one is the default. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A native drop-down list, because every phone and screen reader supports it. */
export function Select({ label, options, hint, error, ...select }: SelectProps) {
  const notes = { id: select.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <div className={styles.list}>
        <select {...select} {...controlAttributes(notes)} className={classNames(styles.input, styles.select)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
    </FieldFrame>
  );
}

import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './fields.module.css';

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

interface LabelledProps extends FieldNotes {
  readonly label: string;
}

interface FieldFrameProps extends LabelledProps {
  /** The control, with the attributes that `controlAttributes` gives it. */
  readonly children: ReactNode;
}

/** A control with its label and hint above it, and what is wrong right below it. */
function FieldFrame({ id, label, hint, error, children }: FieldFrameProps) {
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
const controlAttributes = (notes: FieldNotes) => ({
  id: notes.id,
  'aria-invalid': notes.error === undefined ? undefined : true,
  'aria-describedby': describedBy(notes),
});

export type TextFieldProps = LabelledProps & ComponentProps<'input'>;

/**
 * A line of text to fill in. On a prerendered page leave the value to the browser, as with all fields: the first render
 * after hydration would replace what was typed before.
 */
export function TextField({ label, type = 'text', hint, error, ...input }: TextFieldProps) {
  const notes = { id: input.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <input {...input} {...controlAttributes(notes)} className={styles.input} type={type} />
    </FieldFrame>
  );
}

export type TextAreaProps = LabelledProps & ComponentProps<'textarea'>;

/** Several lines of text to fill in. It grows with what is written where the browser can, and can be drawn taller. */
export function TextArea({ label, hint, error, ...area }: TextAreaProps) {
  const notes = { id: area.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <textarea {...area} {...controlAttributes(notes)} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}

export interface SelectProps extends LabelledProps, Omit<ComponentProps<'select'>, 'id'> {
  /** The first one is chosen to begin with. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** One of several, from a list that opens: the browser's own, which every phone and screen reader knows how to show. */
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

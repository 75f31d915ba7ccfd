import type { AriaAttributes, HTMLInputTypeAttribute, InputHTMLAttributes, ReactNode, Ref } from 'react';
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

export interface TextFieldProps extends FieldProps {
  readonly type?: HTMLInputTypeAttribute | undefined;
  readonly autoComplete?: string | undefined;
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A line of text to fill in, with its label above and what is wrong right beside it, in words and not by colour alone. */
export function TextField({ label, type = 'text', onChange, hint, error, inputRef, ...input }: TextFieldProps) {
  const notes = { id: input.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <input
        {...input}
        {...controlAttributes(notes)}
        ref={inputRef}
        className={styles.input}
        type={type}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FieldFrame>
  );
}

/** Several lines of text to fill in. It grows with what is written where the browser can, and can be drawn taller. */
export function TextArea({ label, onChange, hint, error, ...area }: FieldProps) {
  const notes = { id: area.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <textarea
        {...area}
        {...controlAttributes(notes)}
        className={classNames(styles.input, styles.area)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FieldFrame>
  );
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

export interface SelectProps extends FieldProps {
  readonly options: readonly SelectOption[];
}

/** One of several, from a list that opens: the browser's own, which every phone and screen reader knows how to show. */
export function Select({ label, options, onChange, hint, error, ...select }: SelectProps) {
  const notes = { id: select.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <div className={styles.list}>
        <select
          {...select}
          {...controlAttributes(notes)}
          className={classNames(styles.input, styles.select)}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
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

import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './fields.module.css';

export interface FieldNotes {
  readonly id: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
}

const hintIdOf = (id: string) => `${id}-hint`;
const errorIdOf = (id: string) => `${id}-error`;

export function describedBy({ id, hint, error }: FieldNotes): string | undefined {
  return classNames(hint !== undefined && hintIdOf(id), error !== undefined && errorIdOf(id)) || undefined;
}

export function FieldHint({ id, hint }: Pick<FieldNotes, 'id' | 'hint'>) {
  if (hint === undefined) return null;
  return (
    <p id={hintIdOf(id)} className={styles.hint}>
      {hint}
    </p>
  );
}

export function FieldError({ id, error }: Pick<FieldNotes, 'id' | 'error'>) {
  if (error === undefined) return null;
  return (
    <p id={errorIdOf(id)} className={styles.error} role="alert">
      {error}
    </p>
  );
}

type LabelledProps = FieldNotes & { readonly label: string };

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

const controlAttributes = (notes: FieldNotes) => ({
  id: notes.id,
  'aria-invalid': notes.error === undefined ? undefined : true,
  'aria-describedby': describedBy(notes),
});

/** On a prerendered page leave any field uncontrolled: hydration would replace text that was typed before. */
export function TextField({ label, type = 'text', hint, error, ...input }: LabelledProps & ComponentProps<'input'>) {
  const notes = { id: input.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <input {...input} {...controlAttributes(notes)} className={styles.input} type={type} />
    </FieldFrame>
  );
}

export function TextArea({ label, hint, error, ...area }: LabelledProps & ComponentProps<'textarea'>) {
  const notes = { id: area.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <textarea {...area} {...controlAttributes(notes)} className={classNames(styles.input, styles.area)} />
    </FieldFrame>
  );
}

interface SelectProps extends LabelledProps, Omit<ComponentProps<'select'>, 'id'> {
  /** The first one is the default. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

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

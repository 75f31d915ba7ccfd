import type { HTMLInputTypeAttribute, InputHTMLAttributes, Ref } from 'react';
import { classNames } from '../class-names.ts';
import styles from './text-field.module.css';

export interface TextFieldProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly type?: HTMLInputTypeAttribute | undefined;
  readonly autoComplete?: string | undefined;
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
  readonly required?: boolean | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with the value; it is announced when it appears and stays until it is put right. */
  readonly error?: string | undefined;
  /** What to enter, before anything is wrong. */
  readonly hint?: string | undefined;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A line of text to fill in, with its label above and what is wrong right beside it, in words and not by colour alone. */
export function TextField({
  id,
  label,
  type = 'text',
  value,
  onChange,
  error,
  hint,
  inputRef,
  ...input
}: TextFieldProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = classNames(hint !== undefined && hintId, error !== undefined && errorId);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
      <input
        {...input}
        ref={inputRef}
        className={styles.input}
        id={id}
        type={type}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy || undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {error !== undefined && (
        <p id={errorId} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

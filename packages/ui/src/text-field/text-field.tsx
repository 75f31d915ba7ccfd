import type { HTMLInputTypeAttribute, InputHTMLAttributes, Ref } from 'react';
import styles from '../field/field.module.css';
import { describedBy, FieldError, FieldHint, type FieldNotes } from '../field/field-notes.tsx';

export interface TextFieldProps extends FieldNotes {
  readonly name: string;
  readonly label: string;
  readonly type?: HTMLInputTypeAttribute | undefined;
  readonly autoComplete?: string | undefined;
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
  readonly required?: boolean | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A line of text to fill in, with its label above and what is wrong right beside it, in words and not by colour alone. */
export function TextField(props: TextFieldProps) {
  const { id, label, type = 'text', value, onChange, error, hint, inputRef, ...input } = props;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <FieldHint id={id} hint={hint} />
      <input
        {...input}
        ref={inputRef}
        className={styles.input}
        id={id}
        type={type}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy({ id, hint, error })}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <FieldError id={id} error={error} />
    </div>
  );
}

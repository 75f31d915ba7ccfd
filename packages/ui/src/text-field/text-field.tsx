import type { HTMLInputTypeAttribute, InputHTMLAttributes, Ref } from 'react';
import styles from '../field/field.module.css';
import { controlAttributes, FieldFrame, type FieldProps } from '../field/field-frame.tsx';

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

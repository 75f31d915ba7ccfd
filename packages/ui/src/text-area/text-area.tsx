import { classNames } from '../class-names.ts';
import fieldStyles from '../field/field.module.css';
import { describedBy, FieldError, FieldHint, type FieldNotes } from '../field/field-notes.tsx';
import styles from './text-area.module.css';

export interface TextAreaProps extends FieldNotes {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Several lines of text to fill in. It grows with what is written where the browser can, and can be drawn taller. */
export function TextArea({ id, name, label, required, value, onChange, hint, error }: TextAreaProps) {
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <FieldHint id={id} hint={hint} />
      <textarea
        className={classNames(fieldStyles.input, styles.area)}
        id={id}
        name={name}
        required={required}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy({ id, hint, error })}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <FieldError id={id} error={error} />
    </div>
  );
}

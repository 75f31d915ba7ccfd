import { classNames } from '../class-names.ts';
import fieldStyles from '../field/field.module.css';
import { describedBy, FieldError, FieldHint, type FieldNotes } from '../field/field-notes.tsx';
import styles from './select.module.css';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

export interface SelectProps extends FieldNotes {
  readonly name: string;
  readonly label: string;
  readonly options: readonly SelectOption[];
  readonly required?: boolean | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One of several, from a list that opens: the browser's own, which every phone and screen reader knows how to show. */
export function Select({ id, name, label, options, required, value, onChange, hint, error }: SelectProps) {
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <FieldHint id={id} hint={hint} />
      <div className={styles.frame}>
        <select
          className={classNames(fieldStyles.input, styles.select)}
          id={id}
          name={name}
          required={required}
          value={value}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={describedBy({ id, hint, error })}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </div>
      <FieldError id={id} error={error} />
    </div>
  );
}

import { classNames } from '../class-names.ts';
import fieldStyles from '../field/field.module.css';
import { controlAttributes, FieldFrame, type FieldProps } from '../field/field-frame.tsx';
import styles from './select.module.css';

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
      <div className={styles.frame}>
        <select
          {...select}
          {...controlAttributes(notes)}
          className={classNames(fieldStyles.input, styles.select)}
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

import styles from './checkboxes.module.css';
import fieldStyles from './fields.module.css';
import { describedBy, FieldError, FieldHint, type FieldNotes } from './fields.tsx';

export interface CheckboxProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  /** More about the choice, read out after the label. */
  readonly description?: string | undefined;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** One choice of several, each on or off. The whole row can be pressed. Put a group into a fieldset with a legend. */
export function Checkbox({ id, name, label, description, checked, onChange }: CheckboxProps) {
  const descriptionId = `${id}-description`;
  return (
    <div className={styles.row}>
      <input
        className={styles.box}
        type="checkbox"
        id={id}
        name={name}
        checked={checked}
        aria-describedby={description === undefined ? undefined : descriptionId}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label className={styles.choice} htmlFor={id}>
        {label}
      </label>
      {description !== undefined && (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      )}
    </div>
  );
}

export interface CheckboxOption {
  readonly value: string;
  readonly label: string;
  /** More about the choice, read out after the label. */
  readonly description?: string | undefined;
}

export interface CheckboxGroupProps extends FieldNotes {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly CheckboxOption[];
  /** Values of the options that are on. */
  readonly values: readonly string[];
  /** Takes the values after a change, in the options' order. */
  readonly onChange: (values: readonly string[]) => void;
}

/** The id of an option's checkbox, for whoever moves the focus to it. */
export const checkboxIdOf = (groupId: string, value: string): string => `${groupId}-${value}`;

/** Any number of several, under one question that screen readers read out with the first of them. */
export function CheckboxGroup({ id, name, legend, options, values, onChange, hint, error }: CheckboxGroupProps) {
  const toggle = (value: string, on: boolean) =>
    onChange(options.map((option) => option.value).filter((each) => (each === value ? on : values.includes(each))));
  return (
    <fieldset id={id} aria-describedby={describedBy({ id, hint, error })}>
      <legend className={fieldStyles.label}>{legend}</legend>
      <div className={styles.notes}>
        <FieldHint id={id} hint={hint} />
        <FieldError id={id} error={error} />
      </div>
      <div className={styles.options}>
        {options.map(({ value, label, description }) => (
          <div key={value} className={styles.option}>
            <Checkbox
              id={checkboxIdOf(id, value)}
              name={name}
              label={label}
              description={description}
              checked={values.includes(value)}
              onChange={(on) => toggle(value, on)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

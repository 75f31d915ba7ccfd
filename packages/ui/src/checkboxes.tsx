import type { ComponentProps } from 'react';
import styles from './checkboxes.module.css';
import fieldStyles from './fields.module.css';
import { describedBy, FieldError, FieldHint, type FieldNotes } from './fields.tsx';

interface CheckboxProps extends ComponentProps<'input'> {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
}

/** Put a group of these into a fieldset with a legend. */
export function Checkbox({ id, label, description, ...input }: CheckboxProps) {
  const descriptionId = `${id}-description`;
  return (
    <div className={styles.row}>
      <input
        {...input}
        className={styles.box}
        type="checkbox"
        id={id}
        aria-describedby={description === undefined ? undefined : descriptionId}
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

interface CheckboxGroupProps extends FieldNotes {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly (Pick<CheckboxProps, 'label' | 'description'> & { readonly value: string })[];
}

export function CheckboxGroup({ id, name, legend, options, hint, error }: CheckboxGroupProps) {
  return (
    <fieldset id={id} aria-describedby={describedBy({ id, hint, error })}>
      <legend className={fieldStyles.label}>{legend}</legend>
      <div className={styles.notes}>
        <FieldHint id={id} hint={hint} />
        <FieldError id={id} error={error} />
      </div>
      <div className={styles.options}>
        {options.map((option) => (
          <div key={option.value} className={styles.option}>
            <Checkbox {...option} id={`${id}-${option.value}`} name={name} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

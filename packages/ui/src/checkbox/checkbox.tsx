import styles from './checkbox.module.css';

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
      <label className={styles.label} htmlFor={id}>
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

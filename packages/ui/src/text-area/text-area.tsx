import { classNames } from '../class-names.ts';
import fieldStyles from '../field/field.module.css';
import { controlAttributes, FieldFrame, type FieldProps } from '../field/field-frame.tsx';
import styles from './text-area.module.css';

export type TextAreaProps = FieldProps;

/** Several lines of text to fill in. It grows with what is written where the browser can, and can be drawn taller. */
export function TextArea({ label, onChange, hint, error, ...area }: TextAreaProps) {
  const notes = { id: area.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <textarea
        {...area}
        {...controlAttributes(notes)}
        className={classNames(fieldStyles.input, styles.area)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FieldFrame>
  );
}

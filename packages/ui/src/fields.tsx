import type { AriaAttributes, HTMLInputTypeAttribute, InputHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import styles from './fields.module.css';

export interface FieldNotes {
  /** Id of the field that the notes belong to. */
  readonly id: string;
  /** What to enter, before anything is wrong. */
  readonly hint?: string | undefined;
  /** What is wrong with the value; it is announced when it appears and stays until it is put right. */
  readonly error?: string | undefined;
}

const hintIdOf = (id: string) => `${id}-hint`;
const errorIdOf = (id: string) => `${id}-error`;

/** The `aria-describedby` of a field: the notes that it shows, the hint first. */
export function describedBy({ id, hint, error }: FieldNotes): string | undefined {
  return classNames(hint !== undefined && hintIdOf(id), error !== undefined && errorIdOf(id)) || undefined;
}

/** What to enter, where there is something to say. */
export function FieldHint({ id, hint }: Pick<FieldNotes, 'id' | 'hint'>) {
  if (hint === undefined) return null;
  return (
    <p id={hintIdOf(id)} className={styles.hint}>
      {hint}
    </p>
  );
}

/** What is wrong, right beside the field, in words and not by colour alone. */
export function FieldError({ id, error }: Pick<FieldNotes, 'id' | 'error'>) {
  if (error === undefined) return null;
  return (
    <p id={errorIdOf(id)} className={styles.error} role="alert">
      {error}
    </p>
  );
}

/** What every field with a label above it is given. */
export interface FieldProps extends FieldNotes {
  readonly name: string;
  readonly label: string;
  readonly required?: boolean | undefined;
  readonly value: string;
  /** Takes the value after a change. */
  readonly onChange: (value: string) => void;
}

export interface FieldFrameProps extends FieldNotes {
  readonly label: string;
  /** The control, with the attributes that `controlAttributes` gives it. */
  readonly children: ReactNode;
}

/** A control with its label and hint above it, and what is wrong right below it. */
export function FieldFrame({ id, label, hint, error, children }: FieldFrameProps) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <FieldHint id={id} hint={hint} />
      {children}
      <FieldError id={id} error={error} />
    </div>
  );
}

/** What ties a control to its label and notes, and says whether its value is wrong. */
export function controlAttributes(
  notes: FieldNotes,
): { readonly id: string } & Pick<AriaAttributes, 'aria-invalid' | 'aria-describedby'> {
  return {
    id: notes.id,
    'aria-invalid': notes.error === undefined ? undefined : true,
    'aria-describedby': describedBy(notes),
  };
}

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

/** Several lines of text to fill in. It grows with what is written where the browser can, and can be drawn taller. */
export function TextArea({ label, onChange, hint, error, ...area }: FieldProps) {
  const notes = { id: area.id, hint, error };
  return (
    <FieldFrame {...notes} label={label}>
      <textarea
        {...area}
        {...controlAttributes(notes)}
        className={classNames(styles.input, styles.area)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FieldFrame>
  );
}

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
      <div className={styles.list}>
        <select
          {...select}
          {...controlAttributes(notes)}
          className={classNames(styles.input, styles.select)}
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
      <legend className={styles.label}>{legend}</legend>
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

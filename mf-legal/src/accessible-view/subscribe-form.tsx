import { type FormEvent, useState } from 'react';
import { accessibleViewCopy } from './accessible-view-copy.ts';
import styles from './subscribe-form.module.css';

const copy = accessibleViewCopy.subscribe;

/**
 * A form that is not connected to any submission (product document, section 2), and says so before and after
 * the press. Its method `dialog` does nothing outside of a dialog: a press goes nowhere even before the
 * script has loaded.
 */
export function SubscribeForm() {
  const [state, setState] = useState<'untouched' | 'pressed'>('untouched');
  const answer = (event: FormEvent) => {
    event.preventDefault();
    setState('pressed');
  };
  return (
    <form className={styles.form} method="dialog" noValidate aria-label={copy.button} onSubmit={answer}>
      <p id="subscribe-note">{copy.note}</p>
      <label className={styles.label} htmlFor="subscribe-email">
        {copy.label}
      </label>
      <input
        className={styles.input}
        id="subscribe-email"
        type="email"
        autoComplete="email"
        aria-describedby="subscribe-note"
      />
      <button className={styles.button} type="submit">
        {copy.button}
      </button>
      <p className={styles.answer} role="status">
        {state === 'pressed' && copy.answer}
      </p>
      <p>
        <a href="/">{copy.link}</a>
      </p>
    </form>
  );
}

import { Button, Panel, showAlert, TextField } from '@daybook/ui';
import { type FormEvent, useEffect, useState } from 'react';
import styles from './demo-form.module.css';

const demoFormCopy = {
  note: 'This form is a demo: nothing you enter is sent or saved.',
  alert: 'This is a demo. Nothing you entered was sent.',
  fields: [
    { name: 'name', label: 'Full name', type: 'text', autoComplete: 'name' },
    { name: 'phone', label: 'Phone number', type: 'tel', autoComplete: 'tel' },
    { name: 'email', label: 'Email address', type: 'email', autoComplete: 'email' },
    { name: 'zip', label: 'ZIP code', type: 'text', autoComplete: 'postal-code', inputMode: 'numeric' },
  ],
} as const;

/** A demo of a sponsor's form: nothing is sent or stored. */
export function DemoForm({ heading, button }: { readonly heading: string; readonly button: string }) {
  const [presses, setPresses] = useState(0);
  // Shown on the page first: an alert blocks rendering, and browsers may suppress it.
  useEffect(() => {
    if (presses > 0) showAlert(demoFormCopy.alert);
  }, [presses]);

  function submit(event: FormEvent) {
    event.preventDefault();
    setPresses(presses + 1);
  }

  return (
    <Panel aria-labelledby="demo-form">
      <h2 id="demo-form">{heading}</h2>
      <p id="demo-note" className={styles.demoNote}>
        {demoFormCopy.note}
      </p>
      <form
        className={styles.form}
        aria-labelledby="demo-form"
        aria-describedby="demo-note"
        // Before the script is loaded, a press must neither send anything nor put it into the URL.
        method="dialog"
        noValidate
        onSubmit={submit}
      >
        {demoFormCopy.fields.map((field) => (
          <TextField {...field} key={field.name} id={`demo-${field.name}`} />
        ))}
        <div>
          <Button type="submit" size="large">
            {button}
          </Button>
          <p role="status" className={styles.status}>
            {presses > 0 && demoFormCopy.alert}
          </p>
        </div>
      </form>
    </Panel>
  );
}

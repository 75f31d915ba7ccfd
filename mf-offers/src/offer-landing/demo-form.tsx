import { Button, Panel, TextField } from '@daybook/ui';
import { type FormEvent, useState } from 'react';
import styles from './demo-form.module.css';
import { demoFormCopy } from './offer-landing-copy.ts';
import { useDemoAlert } from './use-demo-alert.ts';

interface DemoFormProperties {
  readonly heading: string;
  readonly button: string;
}

/** A sponsor's form that shows what it would ask for (product document, section 2). Its entries go nowhere, not even to storage. */
export function DemoForm({ heading, button }: DemoFormProperties) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const demo = useDemoAlert(demoFormCopy.alert);

  function submit(event: FormEvent) {
    event.preventDefault();
    demo.show();
  }

  return (
    <Panel aria-labelledby="demo-form">
      <h2 id="demo-form">{heading}</h2>
      <p id="demo-note" className={styles.note}>
        {demoFormCopy.note}
      </p>
      {/* The button tells of the demo whatever was entered, so the browser checks nothing. */}
      <form
        className={styles.form}
        aria-labelledby="demo-form"
        aria-describedby="demo-note"
        // Nothing is to be sent, nor put into the address, by a press before the script is there.
        method="dialog"
        noValidate
        onSubmit={submit}
      >
        {demoFormCopy.fields.map((field) => (
          <TextField
            {...field}
            key={field.name}
            id={`demo-${field.name}`}
            value={values[field.name] ?? ''}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        <div>
          <Button type="submit" size="large">
            {button}
          </Button>
          <p role="status" className={styles.status}>
            {demo.text}
          </p>
        </div>
      </form>
    </Panel>
  );
}

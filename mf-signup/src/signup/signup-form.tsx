import { Button, Problem, TextField } from '@daybook/ui';
import { type SubmitEvent, useEffect, useRef } from 'react';
import styles from './signup.module.css';
import { signupCopy } from './signup-copy.ts';
import type { Signup } from './use-signup.ts';

/** The one field that a subscription takes. */
export function SignupForm({ signup }: { readonly signup: Signup }) {
  const input = useRef<HTMLInputElement>(null);

  // Both when the modal opens and when the form comes back for another person, typing can start at once.
  useEffect(() => input.current?.focus(), []);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!signup.submit()) input.current?.focus();
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>{signupCopy.lead}</p>
      <TextField
        id="signup-email"
        name="email"
        type="email"
        autoComplete="email"
        inputMode="email"
        required
        label={signupCopy.label}
        value={signup.address}
        onChange={signup.changeAddress}
        error={signup.addressError}
        inputRef={input}
      />
      <div className={styles.unseen} aria-hidden="true">
        <label>
          {signupCopy.topic}
          <input
            name="topic"
            tabIndex={-1}
            autoComplete="off"
            value={signup.topic}
            onChange={({ currentTarget }) => signup.changeTopic(currentTarget.value)}
          />
        </label>
      </div>
      {signup.failure !== undefined && <Problem>{signup.failure}</Problem>}
      <Button type="submit" size="large" busy={signup.state === 'submitting'} busyLabel={signupCopy.submitting}>
        {signupCopy.submit}
      </Button>
      <p className={styles.terms}>
        By subscribing you agree to the <a href="/terms">Terms of Service</a> and to{' '}
        <a href="/e-consent">receiving email from us</a>. The <a href="/privacy-policy">Privacy Policy</a> says what we
        keep.
      </p>
    </form>
  );
}

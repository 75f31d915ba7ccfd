import { expectToasts } from '@daybook/platform';
import { Button, ButtonLink, closeDialog, Dialog, ErrorMessage, TextField } from '@daybook/ui';
import { type MouseEvent, type RefObject, type SubmitEvent, useEffect, useEffectEvent, useRef } from 'react';
import styles from './signup.module.css';
import { type CompletedSignup, offersUrl } from './signup-calls.ts';
import { signupCopy } from './signup-copy.ts';
import { type Signup, useSignup } from './use-signup.ts';

export { showDialog } from '@daybook/ui';

/** Not a name with `signup`: content blockers hide those on every site. */
const dialogId = 'email-dialog';

/** The signup modal and its flow, in a separate chunk. Once loaded it stays mounted, open or not. */
export function SignupModal({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  const signup = useSignup(() => closeDialog(dialog.current));
  const { completed } = signup;
  useEffect(expectToasts, []);
  return (
    <Dialog id={dialogId} ref={dialog} title={completed ? signupCopy.completed.title : signupCopy.title}>
      {completed ? <SignupCompleted completed={completed} signup={signup} /> : <SignupForm signup={signup} />}
    </Dialog>
  );
}

function SignupForm({ signup }: { readonly signup: Signup }) {
  const input = useRef<HTMLInputElement>(null);
  const store = useEffectEvent((content: string) => signup.change(content));

  useEffect(() => {
    const field = input.current;
    // When the form returns for another person; an opening dialog focuses the field itself.
    field?.focus();
    // A password manager may have filled in the field without an event.
    return () => store(field?.value ?? '');
  }, []);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (!signup.submit(String(data.get('email')), String(data.get('topic')))) input.current?.focus();
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p>{signupCopy.lead}</p>
      <TextField
        id="email"
        name="email"
        // Not of type email: Chromium encodes its domain before anybody can check it, “example.com™” as example.comtm.
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        label={signupCopy.label}
        // Uncontrolled: React would replace what was filled in without an event.
        defaultValue={signup.typed}
        onChange={({ currentTarget }) => signup.change(currentTarget.value)}
        error={signup.invalid}
        ref={input}
      />
      <div className={styles.unseen} aria-hidden="true">
        <label>
          {signupCopy.topic}
          <input name="topic" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {/* The toast says what went wrong. */}
      {signup.failure !== undefined && <ErrorMessage>{signupCopy.notSubscribed}</ErrorMessage>}
      <Button type="submit" size="large" busy={signup.submitting} busyLabel={signupCopy.submitting}>
        {signupCopy.submit}
      </Button>
      <p className={styles.terms}>
        By subscribing, you agree to our <a href="/terms">Terms of Service</a> and to{' '}
        <a href="/e-consent">getting email from us</a>. Our <a href="/privacy-policy">Privacy Policy</a> says what we
        keep.
      </p>
    </form>
  );
}

/** With a modifier key the browser opens a link in another tab or window. */
const staysInTab = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => !(ctrlKey || metaKey || shiftKey || altKey);

interface SignupCompletedProps {
  readonly completed: CompletedSignup;
  readonly signup: Signup;
}

/** Takes the focus, because the form's focused button is removed. */
function SignupCompleted({ completed: { email, entryId }, signup }: SignupCompletedProps) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Also where the dialog is closed now, and opened again.
    content.current?.setAttribute('autofocus', '');
    content.current?.focus();
  }, []);
  const { subscribed, moving, offers, again } = signupCopy.completed;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form, so no fieldset; the role announces the title with the focus
    <div ref={content} className={styles.completed} role="group" tabIndex={-1} aria-labelledby={`${dialogId}-title`}>
      <p>
        <strong translate="no">{email}</strong> {subscribed}
      </p>
      {entryId !== undefined && <p>{moving}</p>}
      <div className={styles.actions}>
        {entryId !== undefined && (
          <ButtonLink
            href={offersUrl(entryId, email)}
            onClick={(event) => staysInTab(event) && signup.cancelRedirect()}
          >
            {offers}
          </ButtonLink>
        )}
        <Button variant="secondary" onClick={signup.startOver}>
          {again}
        </Button>
      </div>
    </div>
  );
}

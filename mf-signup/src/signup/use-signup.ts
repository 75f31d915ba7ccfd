import type { Signup as SignupRequest } from '@daybook/contract/api';
import { invalidEmailMessage, signupEmailOf } from '@daybook/contract/email';
import { navigate, showToast } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { useCall } from '@daybook/platform/queries';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CompletedSignup, failureMessage, signUp, thankYouUrl, welcome } from './signup-calls.ts';
import { signupCopy } from './signup-copy.ts';

/** In ms, after the completed state. */
const redirectDelay = 1500;

/** What was typed stays after a link of the form and Back. Only in memory, since nobody has sent it. */
let draft = '';

function useTypedEmail() {
  const [typed, setTyped] = useState(draft);
  const [error, setError] = useState<string>();
  const store = (content: string) => {
    draft = content;
    setTyped(content);
  };
  return {
    typed,
    error,
    store,
    /** An error stays until it is corrected. */
    change(content: string) {
      store(content);
      if (signupEmailOf(content) !== undefined) setError(undefined);
    },
    /** Returns the email address that is typed; `undefined` if it is invalid, with the error shown. */
    check(content: string): string | undefined {
      store(content);
      const email = signupEmailOf(content);
      setError(email === undefined ? invalidEmailMessage : undefined);
      return email;
    },
  };
}

function useSignupCall() {
  const call = useCall(signUp);
  /** A ref, because a fast second press comes before the next render. */
  const pendingEmail = useRef<string>(undefined);
  const isOnPage = useRef(true);
  useEffect(() => {
    isOnPage.current = true;
    return () => {
      isOnPage.current = false;
    };
  }, []);

  /** Does nothing while the call of the same email runs. */
  async function start(signup: SignupRequest) {
    if (pendingEmail.current === signup.email) return;
    pendingEmail.current = signup.email;
    const settled = await call.start(signup);
    if (!settled) return;
    pendingEmail.current = undefined;
    if (settled.data) {
      draft = '';
      welcome(settled.data);
    } else if (isOnPage.current) {
      const { failureTitle: title } = signupCopy.toasts;
      showToast({ title, description: failureMessage(settled.error), variant: 'destructive' });
    } else log('error', 'The signup failed after the visitor left the page:', settled.error);
  }
  return { ...call, start };
}

export type Signup = ReturnType<typeof useSignup>;

/**
 * State and actions of a signup (docs/product.md, Signup). Closing the modal neither clears the field nor stops a call or
 * the redirect.
 *
 * @param onLeaveForHome called when a signup without entry id sends the visitor to the home page
 */
export function useSignup(onLeaveForHome: () => void) {
  const field = useTypedEmail();
  const call = useSignupCall();
  const [isRedirectCancelled, setRedirectCancelled] = useState(false);
  const completed = call.data;

  // Again, since the form that was just removed has stored its field once more.
  useEffect(() => {
    if (completed) draft = '';
  }, [completed]);

  const startOver = () => {
    call.reset();
    field.store('');
    setRedirectCancelled(false);
  };

  const leave = useEffectEvent(({ email, entryId }: CompletedSignup) => {
    if (entryId !== undefined) {
      navigate(thankYouUrl(entryId, email));
      return;
    }
    startOver();
    onLeaveForHome();
    navigate('/');
  });

  useEffect(() => {
    if (!completed || isRedirectCancelled) return;
    const timer = setTimeout(() => leave(completed), redirectDelay);
    return () => clearTimeout(timer);
  }, [completed, isRedirectCancelled]);

  return {
    typed: field.typed,
    invalid: field.error,
    change: field.change,
    /** Only while the field has the email of the call: a corrected one can be sent. */
    submitting: call.isPending && call.input?.email === signupEmailOf(field.typed),
    completed,
    failure: call.error === undefined ? undefined : failureMessage(call.error),
    /** Signs up; returns `false` for an invalid email. `topic` is the honeypot, which bots fill in. */
    submit(typed: string, topic: string): boolean {
      const email = field.check(typed);
      if (email !== undefined) void call.start({ email, ...(topic && { topic }) });
      return email !== undefined;
    },
    cancelRedirect: () => setRedirectCancelled(true),
    startOver,
  };
}

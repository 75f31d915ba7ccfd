import {
  emailAddressSchema,
  entryIdIn,
  invalidEmailAddressMessage,
  lastStep,
  pathOf,
  type Signup as SignupRequest,
  waitlistCalls,
} from '@daybook/contract/api';
import { ApiError, apiRequest, navigate, showToast, storeEmailAddress } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { useMutation } from '@daybook/platform/queries';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { signupCopy } from './signup-copy.ts';

/**
 * The typed address: it is still there after a link of the form, such as the terms, and Back. Only in memory, since
 * nobody has sent it.
 */
let draft = '';

/** State and actions of a signup in the modal. */
export type Signup = ReturnType<typeof useSignup>;

/**
 * The signup flow of docs/product.md (Signup): one press, one call, one result. It belongs to the mounted modal, not to
 * its open state, so that closing the modal neither clears the typed address nor stops a call or the redirect.
 *
 * @param onLeaveForHome called when a signup without entry id sends the visitor to the home page
 */
export function useSignup(onLeaveForHome: () => void) {
  const [address, setAddressState] = useState(draft);
  const setAddress = (typed: string) => {
    draft = typed;
    setAddressState(typed);
  };
  const [addressError, setAddressError] = useState<string>();
  const [redirect, setRedirect] = useState<'pending' | 'cancelled'>('pending');
  /** The latest call. A ref, because a fast second press comes before the next render. */
  const call = useRef<SignupCall>(undefined);
  const isOnPage = useRef(true);

  useEffect(() => {
    isOnPage.current = true;
    return () => {
      isOnPage.current = false;
    };
  }, []);

  // The results of an earlier call are ignored: the visitor has corrected the address since.
  const mutation = useMutation({
    mutationFn: ({ signup, controller }: SignupCall) => signUp(signup, controller.signal),
    onSuccess(signup, ofCall) {
      if (ofCall === call.current) welcome(signup);
    },
    onError(error, ofCall) {
      if (ofCall !== call.current) return;
      if (isOnPage.current)
        showToast({
          title: signupCopy.toasts.failureTitle,
          description: describeFailure(error),
          variant: 'destructive',
        });
      else log('error', 'The signup failed after the visitor left the page:', error);
    },
    onSettled(_data, _error, ofCall) {
      if (ofCall === call.current) call.current = undefined;
    },
  });
  const completed = mutation.data;

  // After the form has stored its field for the last time.
  useEffect(() => {
    if (completed) draft = '';
  }, [completed]);

  const startOver = () => {
    mutation.reset();
    setAddress('');
    setRedirect('pending');
  };

  const leave = useEffectEvent(({ email, entryId }: CompletedSignup) => {
    if (entryId !== undefined) {
      navigate(`/thank-you?${entryQuery(entryId, email)}`);
      return;
    }
    startOver();
    onLeaveForHome();
    navigate('/');
  });

  useEffect(() => {
    if (!completed || redirect === 'cancelled') return;
    const timer = setTimeout(() => leave(completed), redirectDelay);
    return () => clearTimeout(timer);
  }, [completed, redirect]);

  return {
    /** Only while the field contains the address of the call: a corrected one can be sent. */
    submitting: mutation.isPending && mutation.variables.signup.email === emailAddressSchema.safeParse(address).data,
    completed,
    address,
    changeAddress(changed: string) {
      setAddress(changed);
      if (emailAddressSchema.safeParse(changed).success) setAddressError(undefined);
    },
    /** Validation error of the typed address. */
    addressError,
    /** Error message of the last attempt to sign up. */
    failure: mutation.isError ? describeFailure(mutation.error) : undefined,
    /**
     * Signs the address up; returns `false` and sends nothing if it is invalid. While the call of the same address runs,
     * does nothing; aborts the call of another.
     *
     * @param typed content of the field; fields can be filled in without events
     * @param topic the honeypot, an invisible field: filled in by bots
     */
    submit(typed: string, topic: string): boolean {
      setAddress(typed);
      const { data: email } = emailAddressSchema.safeParse(typed);
      setAddressError(email === undefined ? invalidEmailAddressMessage : undefined);
      if (email === undefined) return false;
      if (call.current?.signup.email === email) return true;
      call.current?.controller.abort();
      call.current = { signup: { email, ...(topic && { topic }) }, controller: new AbortController() };
      mutation.mutate(call.current);
      return true;
    },
    /** Cancels the redirect, because the visitor chose another link. */
    cancelRedirect: () => setRedirect('cancelled'),
    /** Resets the form for another person. */
    startOver,
  };
}

interface SignupCall {
  readonly signup: SignupRequest;
  readonly controller: AbortController;
}

/** What follows a success, also after the visitor has left the page. */
function welcome({ email, entryId }: CompletedSignup): void {
  draft = '';
  storeEmailAddress(email);
  if (entryId !== undefined) void advanceEntry(entryId);
  showToast(signupCopy.toasts.success);
}

/** Delay in ms between the completed state and the redirect (docs/product.md, Constants). */
const redirectDelay = 1500;

/** A signup that the API accepted. Without an entry id the journey ends here. */
export interface CompletedSignup {
  readonly email: string;
  readonly entryId: number | undefined;
}

/** Signs an address up; throws what `apiRequest` throws. A response without an entry id still counts as signed up. */
async function signUp(signup: SignupRequest, signal: AbortSignal): Promise<CompletedSignup> {
  const { method, path } = waitlistCalls.signUp;
  const received = await apiRequest(method, path, signup, { signal });
  return { email: signup.email, entryId: entryIdIn(received) };
}

/**
 * Moves a new entry to its last step and marks it complete (docs/product.md, Signup). Sends both calls at once, in this
 * order: the entry becomes complete even if the visitor closes the tab during the first. The visitor is subscribed
 * either way, so a failure is only logged and never thrown.
 */
async function advanceEntry(id: number): Promise<void> {
  const { setStep, complete } = waitlistCalls;
  const logFailure = (call: string) => (error: unknown) => log('error', `The ${call} call after signup failed:`, error);
  await Promise.all([
    apiRequest(setStep.method, pathOf(setStep, { id, step: lastStep })).catch(logFailure('step')),
    apiRequest(complete.method, pathOf(complete, { id })).catch(logFailure('complete')),
  ]);
}

/** Returns the message for a failed signup: the API's own if it has one. */
function describeFailure(error: unknown): string {
  const message = error instanceof ApiError ? error.errorBody?.message : undefined;
  return message || signupCopy.unexpectedFailure;
}

/** Returns the address of the bonus offers of an entry. */
export function offersAddress(entryId: number, email: string): string {
  return `/continue-registration?${entryQuery(entryId, email)}`;
}

function entryQuery(id: number, email: string): string {
  return `id=${id}&email=${encodeURIComponent(email)}`;
}

import { getDefaultStore, toastsAtom } from '@daybook/platform';
import { connectNavigation } from '@daybook/platform/host';
import { queryClient } from '@daybook/platform/queries';
import { formSpec } from '@daybook/testing/form-spec';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { entry, fakeApi, json } from '../testing/fake-api.ts';
import { SignupModal } from './signup-modal.tsx';
import { draft, redirectDelay, useSignup } from './use-signup.ts';

const goTo = jest.fn<(to: string) => void>();
const signupCall = 'POST /api/waitlist';
const updates = ['PUT /api/waitlist/42/step/2', 'PUT /api/waitlist/42/complete'];
const thankYou = '/thank-you?id=42&email=ada%40example.com';
const unexpected = 'Something went wrong. Please try again.';

beforeEach(() => {
  jest.useFakeTimers();
  connectNavigation(goTo);
  getDefaultStore().set(toastsAtom, []);
  queryClient.clear();
  localStorage.clear();
  sessionStorage.clear();
  draft.address = '';
});
afterEach(() => {
  goTo.mockReset();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const user = userEvent.setup({ delay: null });
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email address' });
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const toast = () => getDefaultStore().get(toastsAtom)[0];
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));
const Modal = ({ open }: { readonly open: boolean }) => (
  <main>
    <SignupModal open={open} onClose={() => undefined} />
  </main>
);
const showForm = () => render(<Modal open />);
async function signUpWith(address: string) {
  await user.type(field(), `${address}{Enter}`);
  await pass(0);
}

formSpec('the signup form', {
  show: () => showForm().container,
  fill: (visitor) => visitor.type(field(), 'ada@example.com'),
  button: 'Subscribe to Daybook',
  busyLabel: 'Signing up...',
  invalid: { message: 'Please enter a valid email address.', focused: field, described: field },
  success: {
    response: () => entry(42),
    focused: () => screen.getByRole('group'),
    announced: "You're all set!",
  },
  failure: unexpected,
});

describe('the signup form', () => {
  test('suits an email address, which Chromium must not encode before it is validated', async () => {
    const received = fakeApi();
    showForm();
    expect(field()).toBeRequired();
    expect(field()).toHaveAttribute('inputmode', 'email');
    expect(field()).toHaveAttribute('autocomplete', 'email');
    expect(field()).not.toHaveAttribute('type', 'email');
    await signUpWith('ada@example.com™');
    expect(field()).toBeInvalid();
    expect(received).toEqual([]);
  });

  test('has the typed address again after another page, such as the terms, until it is signed up', async () => {
    fakeApi();
    const { unmount } = showForm();
    await user.type(field(), 'ada@example.c');
    unmount();
    const again = showForm();
    expect(field()).toHaveValue('ada@example.c');
    await signUpWith('om');
    again.unmount();
    showForm();
    expect(field()).toHaveValue('');
    expect([localStorage, sessionStorage].flatMap((storage) => Object.values(storage))).not.toContain('ada@example.c');
  });

  test('is empty after a signup that ended on another page', async () => {
    fakeApi();
    const { unmount } = showForm();
    await user.type(field(), 'ada@example.com{Enter}');
    unmount();
    await pass(0);
    showForm();
    expect(field()).toHaveValue('');
  });

  test('has a honeypot that is out of reach for people, and sends its content', async () => {
    const received = fakeApi();
    const { container } = showForm();
    const unseen = container.querySelector('input[name="topic"]') as HTMLInputElement;
    expect(unseen).toHaveAttribute('tabindex', '-1');
    expect(unseen).toHaveAttribute('autocomplete', 'off');
    expect(screen.getAllByRole('textbox')).toEqual([field()]);
    fireEvent.change(unseen, { target: { value: 'Cheap watches' } });
    await signUpWith('ada@example.com');
    expect(received[0]).toEqual({ call: signupCall, body: { email: 'ada@example.com', topic: 'Cheap watches' } });
  });

  test.each([
    ['by a script', (input: HTMLInputElement) => Object.assign(input, { value: 'ada@example.com' })],
    ['by an attribute', (input: HTMLInputElement) => input.setAttribute('value', 'ada@example.com')],
    ['by hand', (input: HTMLInputElement) => user.type(input, 'ada@example.com')],
  ])('filled in %s, keeps the address when it is closed and opened again, and sends it', async (_by, fillIn) => {
    const received = fakeApi();
    const { rerender } = showForm();
    await press('Subscribe to Daybook');
    expect(field()).toBeInvalid();
    await fillIn(field());
    for (const open of [false, true]) rerender(<Modal open={open} />);
    expect(field()).toHaveValue('ada@example.com');
    await press('Subscribe to Daybook');
    await pass(0);
    expect(received[0]).toEqual({ call: signupCall, body: { email: 'ada@example.com' } });
  });

  test('can be used by another person, with an empty field that has the focus', async () => {
    fakeApi();
    showForm();
    await signUpWith('ada@example.com');
    await press('Sign up another person');
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
    await signUpWith('grace@example.com');
    await pass(redirectDelay);
    expect(goTo.mock.calls).toEqual([['/thank-you?id=42&email=grace%40example.com']]);
  });

  test.each([
    ['in this tab cancels', {}, []],
    ['in another tab with Control does not cancel', { ctrlKey: true }, [[thankYou]]],
    ['in another tab with Command does not cancel', { metaKey: true }, [[thankYou]]],
    ['in another window with Shift does not cancel', { shiftKey: true }, [[thankYou]]],
    ['as a download with Alt does not cancel', { altKey: true }, [[thankYou]]],
  ])('following the link to the bonus offers %s the redirect', async (_where, keys, visited) => {
    fakeApi();
    showForm();
    await signUpWith('ada@example.com');
    const link = screen.getByRole('link', { name: 'See your bonus offers' });
    expect(link).toHaveAttribute('href', '/continue-registration?id=42&email=ada%40example.com');
    link.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(link, keys);
    await pass(redirectDelay);
    expect(goTo.mock.calls).toEqual(visited);
  });
});

/** The flow without its form: submits addresses, and responds to their calls. */
function startFlow(responses: Parameters<typeof fakeApi>[0] = {}) {
  const calls: (PromiseWithResolvers<Response> & { readonly signal: AbortSignal | null | undefined })[] = [];
  const received = fakeApi({
    [signupCall]: ({ signal }) => {
      const call = { ...Promise.withResolvers<Response>(), signal };
      calls.push(call);
      return call.promise;
    },
    ...responses,
  });
  const onLeaveForHome = jest.fn();
  const { result, unmount } = renderHook(() => useSignup(onLeaveForHome));
  return {
    calls,
    received: () => received.map(({ call }) => call),
    onLeaveForHome,
    state: () => result.current,
    submit: (address: string) => act(async () => result.current.submit(address, '')),
    settle: async (index: number, response: Response | Error) => {
      const call = calls[index];
      if (response instanceof Error) call?.reject(response);
      else call?.resolve(response);
      await pass(0);
    },
    leavePage: unmount,
  };
}
const lost = new TypeError('Failed to fetch');

describe('a signup', () => {
  test('stores the address, updates the entry, shows a toast, and opens the thank-you page after 1.5 seconds', async () => {
    const { submit, settle, received, state } = startFlow();
    await submit(' ada@Example.com.');
    await settle(0, entry(42));
    expect(localStorage.getItem('userEmail')).toBe('ada@example.com');
    expect(sessionStorage.getItem('enteredEmail')).toBe('ada@example.com');
    expect(received()).toEqual([signupCall, ...updates]);
    expect(toast()).toMatchObject({
      title: 'Success!',
      description: expect.stringMatching(/subscribed to our daily newsletter/),
    });
    expect(state().completed).toEqual({ email: 'ada@example.com', entryId: 42 });
    await pass(redirectDelay - 1);
    expect(goTo).not.toHaveBeenCalled();
    await pass(1);
    expect(goTo.mock.calls).toEqual([[thankYou]]);
  });

  test.each([
    ['an empty object', {}],
    ['an entry without an id', { entry: { email: 'ada@example.com' } }],
    ['no object at all', null],
  ])('succeeds if the response is %s, and goes to the home page with an empty form', async (_, response) => {
    const { submit, settle, received, state, onLeaveForHome } = startFlow();
    await submit('ada@example.com');
    await settle(0, json(response, 201));
    expect(state().completed).toEqual({ email: 'ada@example.com', entryId: undefined });
    await pass(redirectDelay);
    expect(goTo.mock.calls).toEqual([['/']]);
    expect(onLeaveForHome).toHaveBeenCalledTimes(1);
    expect(state()).toMatchObject({ address: '', completed: undefined });
    expect(received()).toEqual([signupCall]);
  });

  test('completes its entry although the step call gets no response', async () => {
    const { submit, settle, received } = startFlow({ [updates[0] ?? '']: () => new Promise(() => undefined) });
    await submit('ada@example.com');
    await settle(0, entry(42));
    expect(received()).toEqual([signupCall, ...updates]);
  });

  test('succeeds although updating its entry fails, which is only logged, without the address', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    const { submit, settle } = startFlow(Object.fromEntries(updates.map((call) => [call, () => json({}, 503)])));
    await submit('ada@example.com');
    await settle(0, json({ entry: { id: 42 } }, 201));
    await pass(redirectDelay);
    expect(log).toHaveBeenCalledTimes(2);
    expect(log.mock.calls.flat().join(' ')).not.toContain('@');
    expect(goTo.mock.calls).toEqual([[thankYou]]);
  });

  test('does not redirect after the page is left', async () => {
    const { submit, settle, leavePage } = startFlow();
    await submit('ada@example.com');
    await settle(0, entry(42));
    leavePage();
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
  });

  test.each([
    [
      'the message of the API',
      json({ statusCode: 409, message: 'The list is closed.', error: 'closed' }, 409),
      'The list is closed.',
    ],
    ['a general message for another server', new Response('<html>Bad Gateway</html>', { status: 502 }), unexpected],
    ['a general message without a response', lost, unexpected],
  ])('that fails shows %s in a toast and in the form', async (_, response, message) => {
    const { submit, settle, state } = startFlow();
    await submit('ada@example.com');
    await settle(0, response);
    expect(toast()).toMatchObject({ title: 'Error', description: message, variant: 'destructive' });
    expect(state().failure).toBe(message);
    expect(localStorage.getItem('userEmail')).toBeNull();
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
  });
});

describe('while a signup is under way', () => {
  test.each([
    ['success', entry(41)],
    ['failure', lost],
  ])('a corrected address replaces it, and its %s is ignored', async (_, response) => {
    const { submit, settle, calls, received, state } = startFlow();
    await submit('ada@exmaple.com');
    await submit('ada@example.com');
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    await settle(0, response);
    expect([toast(), state().failure, state().completed, localStorage.getItem('userEmail')]).toEqual([
      undefined,
      undefined,
      undefined,
      null,
    ]);
    expect(state().submitting).toBe(true);
    await settle(1, entry(42));
    expect(state().completed).toEqual({ email: 'ada@example.com', entryId: 42 });
    expect(received()).toEqual([signupCall, signupCall, ...updates]);
  });

  test('the same address is ignored, in any spelling', async () => {
    const { submit, calls, state } = startFlow();
    await submit('ada@example.com');
    await submit(' ada@EXAMPLE.com. ');
    expect(calls).toHaveLength(1);
    expect(state().submitting).toBe(true);
  });

  test('an invalid address is rejected, and the call goes on', async () => {
    const { submit, settle, calls, state } = startFlow();
    await submit('ada@example.com');
    await submit('ada@');
    expect(state().addressError).toBe('Please enter a valid email address.');
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false]);
    await settle(0, entry(42));
    expect(state().completed).toBeDefined();
  });

  test('leaving the page does not abort it: its success is stored and shown on the next page', async () => {
    const { submit, settle, calls, received, leavePage } = startFlow();
    await submit('ada@example.com');
    leavePage();
    expect(calls[0]?.signal?.aborted).toBe(false);
    await settle(0, entry(42));
    expect(localStorage.getItem('userEmail')).toBe('ada@example.com');
    expect(toast()).toMatchObject({ title: 'Success!' });
    expect(received()).toEqual([signupCall, ...updates]);
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
  });

  test('its failure after leaving the page is only logged', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    const { submit, settle, leavePage } = startFlow();
    await submit('ada@example.com');
    leavePage();
    await settle(0, lost);
    expect(toast()).toBeUndefined();
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('closing the form does not abort it', async () => {
    const received = fakeApi({ [signupCall]: () => new Promise((resolve) => setTimeout(() => resolve(entry(42)), 9)) });
    const { rerender } = showForm();
    await signUpWith('ada@example.com');
    rerender(<Modal open={false} />);
    await pass(9);
    expect(received).toHaveLength(3);
    expect(toast()).toMatchObject({ title: 'Success!' });
  });
});

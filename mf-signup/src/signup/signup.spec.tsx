import { getDefaultStore, toastsAtom } from '@daybook/platform';
import { connectNavigation } from '@daybook/platform/host';
import { type FakeResponse, fakeApi } from '@daybook/testing/fake-api';
import { formSpec } from '@daybook/testing/form-spec';
import { showDialog } from '@daybook/ui';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SignupModal } from './signup-modal.tsx';
import { useSignup } from './use-signup.ts';

const goTo = jest.fn<(to: string) => void>();
const signupCall = 'POST /api/waitlist';
const updates = ['PUT /api/waitlist/42/step/2', 'PUT /api/waitlist/42/complete'];
const thankYou = '/thank-you?id=42&email=ada%40example.com';
const unexpected = 'Something went wrong. Please try again.';
/** In ms (docs/product.md, Constants). */
const redirectDelay = 1500;

beforeEach(() => {
  jest.useFakeTimers();
  connectNavigation(goTo);
  getDefaultStore().set(toastsAtom, []);
  localStorage.clear();
  sessionStorage.clear();
  // Also forgets what was typed before.
  const { result, unmount } = renderHook(() => useSignup(() => undefined));
  act(() => result.current.startOver());
  unmount();
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
const entry = (id = 42) => ({ status: 201, body: { entry: { id } } });
/** In ms: a response comes after the press has been handled, like from a network. */
const responseTime = 1;
const acceptSignups = () => fakeApi(() => new Promise((resolve) => setTimeout(() => resolve(entry()), responseTime)));
const dialog: { current: HTMLDialogElement | null } = { current: null };
const showForm = () => {
  const view = render(
    <main>
      <SignupModal dialog={dialog} />
    </main>,
  );
  showDialog(dialog.current);
  return view;
};
async function signUpWith(address: string) {
  await user.type(field(), `${address}{Enter}`);
  await pass(responseTime);
}

formSpec('the signup form', {
  show: () => showForm().container,
  fill: (visitor) => visitor.type(field(), 'ada@example.com'),
  button: 'Subscribe to Daybook',
  busyLabel: 'Signing up...',
  invalid: { message: 'Please enter a valid email address.', focused: field, described: field },
  success: {
    response: () => Response.json(entry().body, { status: 201 }),
    focused: () => screen.getByRole('group'),
    announced: "You're all set!",
  },
  failure: 'You’re not subscribed yet. Your address is still in the field, so you can try again.',
});

describe('the signup form', () => {
  test('has a honeypot out of reach for people, and sends its content', async () => {
    const calls = acceptSignups();
    const { container } = showForm();
    expect(screen.getAllByRole('textbox')).toEqual([field()]);
    const unseen = container.querySelector('input[name="topic"]') as HTMLInputElement;
    expect(unseen).toHaveAttribute('tabindex', '-1');
    fireEvent.change(unseen, { target: { value: 'Cheap watches' } });
    await signUpWith('ada@example.com');
    expect(calls[0]).toEqual({ call: signupCall, body: { email: 'ada@example.com', topic: 'Cheap watches' } });
  });

  test('has the typed address again after another page, until it is signed up', async () => {
    acceptSignups();
    const before = showForm();
    await user.type(field(), 'ada@example.c');
    before.unmount();
    const again = showForm();
    expect(field()).toHaveValue('ada@example.c');
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
    await signUpWith('om');
    again.unmount();
    showForm();
    expect(field()).toHaveValue('');
  });

  test('can be used by another person, with an empty field that has the focus', async () => {
    acceptSignups();
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
    ['does not redirect a visitor who follows the link to the bonus offers', {}, 0],
    ['redirects a visitor who opens the bonus offers in another tab', { ctrlKey: true }, 1],
  ])('%s', async (_what, keys, redirects) => {
    acceptSignups();
    showForm();
    await signUpWith('ada@example.com');
    const link = screen.getByRole('link', { name: 'See your bonus offers' });
    expect(link).toHaveAttribute('href', '/continue-registration?id=42&email=ada%40example.com');
    link.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(link, keys);
    await pass(redirectDelay);
    expect(goTo).toHaveBeenCalledTimes(redirects);
  });
});

/** The flow without its form: submits addresses, and responds to their calls. */
function startFlow(responses: Readonly<Record<string, FakeResponse | Promise<FakeResponse>>> = {}) {
  const signups: (PromiseWithResolvers<FakeResponse> & Pick<RequestInit, 'signal'>)[] = [];
  const calls = fakeApi(({ call }, { signal }) => {
    if (call !== signupCall) return responses[call] ?? { body: { entry: { id: 42 } } };
    const signup = { ...Promise.withResolvers<FakeResponse>(), signal: signal ?? null };
    signups.push(signup);
    return signup.promise;
  });
  const onLeaveForHome = jest.fn();
  const { result, unmount } = renderHook(() => useSignup(onLeaveForHome));
  return {
    received: () => calls.map(({ call }) => call),
    /** For each signup call, whether it was aborted. */
    aborted: () => signups.map(({ signal }) => signal?.aborted),
    onLeaveForHome,
    state: () => result.current,
    submit: (address: string) => act(async () => result.current.submit(address, '')),
    settle: async (index: number, response: FakeResponse) => {
      signups[index]?.resolve(response);
      await pass(0);
    },
    leavePage: unmount,
  };
}
const lost = new TypeError('Failed to fetch');

describe('a signup', () => {
  test('stores the address, and opens the thank-you page after 1.5 seconds', async () => {
    const { submit, settle, received } = startFlow({ [updates[0] ?? '']: new Promise(() => undefined) });
    await submit(' ada@Example.com ');
    await settle(0, entry());
    expect([localStorage.getItem('userEmail'), sessionStorage.getItem('enteredEmail')]).toEqual(
      Array(2).fill('ada@example.com'),
    );
    // The entry is completed although the call before has no response.
    expect(received()).toEqual([signupCall, ...updates]);
    expect(toast()).toMatchObject({ title: 'Success!', description: expect.stringMatching(/to our daily newsletter/) });
    await pass(redirectDelay - 1);
    expect(goTo).not.toHaveBeenCalled();
    await pass(1);
    expect(goTo.mock.calls).toEqual([[thankYou]]);
  });

  test('whose response has no entry id succeeds, and goes to the home page', async () => {
    const { submit, settle, state, onLeaveForHome } = startFlow();
    await submit('ada@example.com');
    await settle(0, { status: 201, body: { entry: { email: 'ada@example.com' } } });
    await pass(redirectDelay);
    expect(goTo.mock.calls).toEqual([['/']]);
    expect(onLeaveForHome).toHaveBeenCalledTimes(1);
    expect(state()).toMatchObject({ typed: '', completed: undefined });
  });

  test('succeeds although updating its entry fails', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    const { submit, settle } = startFlow(Object.fromEntries(updates.map((call) => [call, { status: 503 }])));
    await submit('ada@example.com');
    await settle(0, entry());
    await pass(redirectDelay);
    expect(log).toHaveBeenCalledTimes(2);
    expect(goTo.mock.calls).toEqual([[thankYou]]);
  });

  test.each([
    ['the message of the API', { status: 409, body: { message: 'The list is closed.' } }, 'The list is closed.'],
    ['a general message for a page of a proxy', { status: 502, text: '<html>Bad Gateway</html>' }, unexpected],
  ])('that fails shows %s in a toast and in the form', async (_, response, message) => {
    const { submit, settle, state } = startFlow();
    await submit('ada@example.com');
    await settle(0, response);
    expect(toast()).toMatchObject({ title: 'Error', description: message, variant: 'destructive' });
    expect(state().failure).toBe(message);
    expect(localStorage.getItem('userEmail')).toBeNull();
  });
});

describe('while a signup is under way', () => {
  test('a corrected address replaces it, and its success is ignored', async () => {
    const { submit, settle, aborted, received, state } = startFlow();
    await submit('ada@exmaple.com');
    await submit('ada@example.com');
    expect(aborted()).toEqual([true, false]);
    await settle(0, entry(41));
    expect([toast(), localStorage.getItem('userEmail')]).toEqual([undefined, null]);
    expect(state()).toMatchObject({ submitting: true, failure: undefined, completed: undefined });
    await settle(1, entry());
    expect(state().completed).toEqual({ email: 'ada@example.com', entryId: 42 });
    expect(received()).toEqual([signupCall, signupCall, ...updates]);
  });

  test.each([
    ['success is stored and shown on the next page', entry(), 'Success!', 0],
    ['failure is only logged', lost, undefined, 1],
  ])('leaving the page does not abort it: its %s', async (_, response, title, logged) => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    const { submit, settle, aborted, received, leavePage } = startFlow();
    await submit('ada@example.com');
    leavePage();
    expect(aborted()).toEqual([false]);
    await settle(0, response);
    expect(toast()?.title).toBe(title);
    expect(localStorage.getItem('userEmail')).toBe(title ? 'ada@example.com' : null);
    expect(received()).toEqual([signupCall, ...(title ? updates : [])]);
    expect(log).toHaveBeenCalledTimes(logged);
  });
});

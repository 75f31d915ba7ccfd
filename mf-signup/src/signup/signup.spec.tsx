import { getDefaultStore, toastsAtom } from '@daybook/platform';
import { connectNavigation } from '@daybook/platform/host';
import { queryClient } from '@daybook/platform/queries';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import HomePage from '../home/home-page.tsx';
import { entry, fakeApi, json } from '../testing/fake-api.ts';
import { draft, redirectDelay } from './use-signup.ts';

const goTo = jest.fn<(to: string) => void>();
const signupCall = 'POST /api/waitlist';
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  jest.useFakeTimers();
  user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
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

const field = () => screen.getByRole('textbox', { name: 'Email address' });
const submitButton = () => screen.getByRole('button', { name: 'Subscribe to Daybook' });
const toast = () => getDefaultStore().get(toastsAtom)[0];
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));
const accessibilityErrorsOf = async (container: Element) => {
  jest.useRealTimers();
  return (await axe(container)).violations;
};

async function openForm() {
  const page = render(
    <main>
      <HomePage />
    </main>,
  );
  await user.click(screen.getAllByRole('button', { name: 'Subscribe for free' })[0] as HTMLElement);
  await screen.findByRole('dialog');
  return page;
}

async function signUpWith(address: string) {
  await user.type(field(), `${address}{Enter}`);
  await pass(0);
}

describe('the signup form', () => {
  test('opens in the modal with the focus in its field', async () => {
    const { container } = await openForm();
    expect(field()).toHaveFocus();
    expect(field()).toBeRequired();
    expect(field()).toHaveAttribute('inputmode', 'email');
    expect(field()).toHaveAttribute('autocomplete', 'email');
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test.each([
    '',
    'ada',
    'missing-at.example.com',
    'gmail.com',
    'ada@',
    'ada@example',
    '@example.com',
    'ada@127.1',
    'ada@a.example,bob@b.example',
    'ada.@example.com',
    'a..da@example.com',
    'ada@example.com™',
    'ada@exa\u2011mple.com',
    'ada@exam\u200bple.com',
    'ada@example.com”',
    'ada＠example.com',
  ])('rejects %p and sends nothing', async (address) => {
    const received = fakeApi();
    const { container } = await openForm();
    if (address) await user.type(field(), address);
    await user.click(submitButton());
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid email address.');
    expect(field()).toBeInvalid();
    expect(field()).toHaveFocus();
    expect(received).toEqual([]);
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test('has the typed address again after another page, such as the terms, until it is signed up', async () => {
    fakeApi();
    const { unmount } = await openForm();
    await user.type(field(), 'ada@example.c');
    unmount();
    const again = await openForm();
    expect(field()).toHaveValue('ada@example.c');
    await signUpWith('om');
    expect(screen.queryByRole('textbox')).toBeNull();
    again.unmount();
    await openForm();
    expect(field()).toHaveValue('');
    expect([localStorage, sessionStorage].flatMap((storage) => Object.values(storage))).not.toContain('ada@example.c');
  });

  test('is empty after a signup that ended on another page', async () => {
    fakeApi();
    const { unmount } = await openForm();
    await user.type(field(), 'ada@example.com{Enter}');
    unmount();
    await pass(0);
    await openForm();
    expect(field()).toHaveValue('');
  });

  test('removes the message as soon as the address is corrected', async () => {
    await openForm();
    await user.type(field(), 'ada@{Enter}');
    await user.type(field(), 'example.com');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('has a honeypot that is out of reach for people, and sends its content', async () => {
    const received = fakeApi();
    const { container } = await openForm();
    const unseen = container.querySelector('input[name="topic"]') as HTMLInputElement;
    expect(unseen).toHaveAttribute('tabindex', '-1');
    expect(unseen).toHaveAttribute('autocomplete', 'off');
    expect(screen.getAllByRole('textbox')).toEqual([field()]);
    fireEvent.change(unseen, { target: { value: 'Cheap watches' } });
    await signUpWith('ada@example.com');
    expect(received[0]).toEqual({ call: signupCall, body: { email: 'ada@example.com', topic: 'Cheap watches' } });
  });

  describe.each([
    ['a script', (input: HTMLInputElement) => Object.assign(input, { value: 'ada@example.com' })],
    ['an attribute', (input: HTMLInputElement) => input.setAttribute('value', 'ada@example.com')],
  ])('filled in without an event by %s', (_by, fillIn) => {
    test('sends what its field shows, also after a rejection', async () => {
      const received = fakeApi();
      await openForm();
      await user.click(submitButton());
      expect(field()).toBeInvalid();
      fillIn(field() as HTMLInputElement);
      await user.click(submitButton());
      await pass(0);
      expect(received[0]).toEqual({ call: signupCall, body: { email: 'ada@example.com' } });
      expect(screen.getByText('ada@example.com')).toBeVisible();
    });

    test('preserves the address when the modal is closed and opened again', async () => {
      await openForm();
      fillIn(field() as HTMLInputElement);
      await user.click(screen.getByRole('button', { name: 'Close' }));
      await user.click(screen.getAllByRole('button', { name: 'Subscribe for free' })[0] as HTMLElement);
      expect(field()).toHaveValue('ada@example.com');
    });
  });

  test('preserves the typed address when the modal is closed and opened again', async () => {
    await openForm();
    await user.type(field(), 'ada@exam');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.click(screen.getAllByRole('button', { name: 'Subscribe for free' })[1] as HTMLElement);
    expect(field()).toHaveValue('ada@exam');
  });

  test('reads "Signing up..." while busy, and ignores a second submit', async () => {
    const received = fakeApi({ [signupCall]: () => new Promise(() => undefined) });
    await openForm();
    await user.type(field(), 'ada@example.com');
    const button = submitButton();
    // Twice before the button is busy.
    await act(async () => {
      for (let press = 1; press <= 2; press += 1) fireEvent.click(button);
    });
    await user.dblClick(button);
    await user.type(field(), '{Enter}');
    expect(screen.getByRole('button', { name: 'Signing up...' })).toHaveAttribute('aria-disabled', 'true');
    expect(received).toHaveLength(1);
  });
});

describe('after signing up', () => {
  test('stores the address, updates the entry, and shows toast and completed state', async () => {
    const received = fakeApi({ [signupCall]: () => entry(42) });
    const { container } = await openForm();
    await signUpWith(' ada@Example.com.');
    expect(localStorage.getItem('userEmail')).toBe('ada@example.com');
    expect(sessionStorage.getItem('enteredEmail')).toBe('ada@example.com');
    expect(received.map(({ call }) => call)).toEqual([
      signupCall,
      'PUT /api/waitlist/42/step/2',
      'PUT /api/waitlist/42/complete',
    ]);
    expect(toast()).toMatchObject({
      title: 'Success!',
      description: expect.stringMatching(/subscribed to our daily newsletter/),
    });
    expect(screen.getByRole('dialog', { name: "You're all set!" })).toBeVisible();
    expect(screen.getByRole('group', { name: "You're all set!" })).toHaveFocus();
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test('opens the thank-you page after 1.5 seconds, also when the modal was closed', async () => {
    fakeApi();
    await openForm();
    await signUpWith('ada@example.com');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await pass(redirectDelay - 1);
    expect(goTo).not.toHaveBeenCalled();
    await pass(1);
    expect(goTo.mock.calls).toEqual([['/thank-you?id=42&email=ada%40example.com']]);
  });

  test('opens the home page with the modal closed and the form empty if the response has no entry id', async () => {
    const received = fakeApi({ [signupCall]: () => json({}, 201) });
    await openForm();
    await signUpWith('ada@example.com');
    expect(screen.queryByRole('link', { name: 'See your bonus offers' })).toBeNull();
    await pass(redirectDelay);
    expect(goTo.mock.calls).toEqual([['/']]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(received).toHaveLength(1);
    await user.click(screen.getAllByRole('button', { name: 'Subscribe for free' })[0] as HTMLElement);
    expect(field()).toHaveValue('');
  });

  test('signs up another person instead of leaving', async () => {
    const received = fakeApi();
    await openForm();
    await signUpWith('ada@example.com');
    await user.click(screen.getByRole('button', { name: 'Sign up another person' }));
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();

    await signUpWith('grace@example.com');
    expect(received.at(-3)).toEqual({ call: signupCall, body: { email: 'grace@example.com' } });
    await pass(redirectDelay);
    expect(goTo.mock.calls).toEqual([['/thank-you?id=42&email=grace%40example.com']]);
  });

  test('following the link to the bonus offers cancels the redirect', async () => {
    fakeApi();
    await openForm();
    await signUpWith('ada@example.com');
    const link = screen.getByRole('link', { name: 'See your bonus offers' });
    expect(link).toHaveAttribute('href', '/continue-registration?id=42&email=ada%40example.com');
    link.addEventListener('click', (event) => event.preventDefault());
    await user.click(link);
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
  });

  test.each(['Control', 'Meta', 'Shift', 'Alt'])(
    'opening the offers in another tab with %s does not cancel the redirect',
    async (key) => {
      fakeApi();
      await openForm();
      await signUpWith('ada@example.com');
      const link = screen.getByRole('link', { name: 'See your bonus offers' });
      link.addEventListener('click', (event) => event.preventDefault());
      await user.keyboard(`{${key}>}`);
      await user.click(link);
      await user.keyboard(`{/${key}}`);
      await pass(redirectDelay);
      expect(goTo.mock.calls).toEqual([['/thank-you?id=42&email=ada%40example.com']]);
    },
  );

  test('does not redirect after the page is left', async () => {
    fakeApi();
    const { unmount } = await openForm();
    await signUpWith('ada@example.com');
    unmount();
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
  });

  test('succeeds although step and complete fail, which is only logged', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    fakeApi({
      'PUT /api/waitlist/42/step/2': () => json({}, 500),
      'PUT /api/waitlist/42/complete': () => json({}, 500),
    });
    await openForm();
    await signUpWith('ada@example.com');
    await pass(redirectDelay);
    expect(log).toHaveBeenCalledTimes(2);
    expect(goTo).toHaveBeenCalledTimes(1);
  });
});

describe('a failed signup', () => {
  const errorBody = { statusCode: 409, message: 'The list is closed for a moment.', error: 'closed' };

  test('shows the error in a toast and in the form, and preserves the typed address', async () => {
    fakeApi({ [signupCall]: () => json(errorBody, 409) });
    const { container } = await openForm();
    await signUpWith('ada@example.com');
    expect(toast()).toMatchObject({ title: 'Error', description: errorBody.message, variant: 'destructive' });
    expect(screen.getByRole('alert')).toHaveTextContent(errorBody.message);
    expect(field()).toHaveValue('ada@example.com');
    expect(localStorage.getItem('userEmail')).toBeNull();
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test.each([
    ['a response with 503', () => json({}, 503)],
    ['a lost response', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('is shown at once after %s, is not retried, and can be sent again', async (_, response) => {
    let isDown = true;
    const received = fakeApi({ [signupCall]: () => (isDown ? response() : entry(42)) });
    await openForm();
    await signUpWith('ada@example.com');
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong. Please try again.');
    await pass(60_000);
    expect(received).toHaveLength(1);
    isDown = false;
    await user.click(submitButton());
    await pass(redirectDelay);
    expect(goTo).toHaveBeenCalledTimes(1);
  });

  test('shows the same message after 20 seconds without a response, and can be sent again', async () => {
    let isDown = true;
    fakeApi({ [signupCall]: () => (isDown ? new Promise(() => undefined) : entry(42)) });
    await openForm();
    await signUpWith('ada@example.com');
    await pass(19_000);
    expect(screen.getByRole('button', { name: 'Signing up...' })).toBeVisible();
    await pass(1_001);
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong. Please try again.');
    isDown = false;
    await user.click(submitButton());
    await pass(redirectDelay);
    expect(goTo).toHaveBeenCalledTimes(1);
  });
});

describe('while a signup is under way', () => {
  /** Mocks a network that holds each signup, and can be made to respond to one. */
  function holdSignups() {
    const calls: (PromiseWithResolvers<Response> & { readonly signal: AbortSignal | null | undefined })[] = [];
    const received = fakeApi({
      [signupCall]: ({ signal }) => {
        const call = { ...Promise.withResolvers<Response>(), signal };
        calls.push(call);
        return call.promise;
      },
    });
    const settle = async (index: number, respond: (call: (typeof calls)[number]) => void) => {
      respond(calls[index] as (typeof calls)[number]);
      await pass(0);
    };
    return { calls, received, settle };
  }
  const correctTo = async (address: string) => {
    await user.clear(field());
    await signUpWith(address);
  };

  test('a press with a corrected address replaces it, whatever becomes of the first', async () => {
    const { calls, received, settle } = holdSignups();
    await openForm();
    await signUpWith('ada@exmaple.com');
    await user.clear(field());
    await user.type(field(), 'ada@example.com');
    await user.click(submitButton());
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    await settle(0, ({ resolve }) => resolve(entry(41)));
    expect(localStorage.getItem('userEmail')).toBeNull();
    expect(toast()).toBeUndefined();
    expect(screen.getByRole('button', { name: 'Signing up...' })).toBeVisible();
    await settle(1, ({ resolve }) => resolve(entry(42)));
    expect(screen.getByRole('dialog', { name: "You're all set!" })).toBeVisible();
    expect(received.map(({ call }) => call)).toEqual([
      signupCall,
      signupCall,
      'PUT /api/waitlist/42/step/2',
      'PUT /api/waitlist/42/complete',
    ]);
    expect(localStorage.getItem('userEmail')).toBe('ada@example.com');
  });

  test('a failure of the replaced call is not shown', async () => {
    const { settle } = holdSignups();
    await openForm();
    await signUpWith('ada@exmaple.com');
    await correctTo('ada@example.com');
    await settle(0, ({ reject }) => reject(new TypeError('Failed to fetch')));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(toast()).toBeUndefined();
  });

  test('presses with the same address are ignored, in any spelling', async () => {
    const { calls } = holdSignups();
    await openForm();
    await signUpWith('ada@example.com');
    await user.click(screen.getByRole('button', { name: 'Signing up...' }));
    await correctTo(' ada@EXAMPLE.com. ');
    expect(calls).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Signing up...' })).toHaveAttribute('aria-disabled', 'true');
  });

  test('a press with an invalid address is rejected, and the call goes on', async () => {
    const { calls, settle } = holdSignups();
    await openForm();
    await signUpWith('ada@example.com');
    await correctTo('ada@');
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid email address.');
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false]);
    await settle(0, ({ resolve }) => resolve(entry(42)));
    expect(screen.getByRole('dialog', { name: "You're all set!" })).toBeVisible();
  });

  test.each([
    ['success', (call: PromiseWithResolvers<Response>) => call.resolve(entry(42)), 'Success!'],
    ['failure', (call: PromiseWithResolvers<Response>) => call.reject(new TypeError('Failed to fetch')), 'Error'],
  ])('closing the dialog does not abort it: a toast shows its %s', async (_, respond, title) => {
    const { calls, settle } = holdSignups();
    await openForm();
    await signUpWith('ada@example.com');
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(calls[0]?.signal?.aborted).toBe(false);
    await settle(0, respond);
    expect(toast()).toMatchObject({ title });
  });

  test('leaving the page does not abort it: its success is stored and shown on the next page', async () => {
    const { received, settle } = holdSignups();
    const { unmount } = await openForm();
    await signUpWith('ada@example.com');
    unmount();
    await settle(0, ({ resolve }) => resolve(entry(42)));
    expect(localStorage.getItem('userEmail')).toBe('ada@example.com');
    expect(toast()).toMatchObject({ title: 'Success!' });
    expect(received).toHaveLength(3);
    await pass(redirectDelay);
    expect(goTo).not.toHaveBeenCalled();
  });

  test('its failure after leaving the page is only logged', async () => {
    const log = jest.spyOn(console, 'error').mockReturnValue();
    const { settle } = holdSignups();
    const { unmount } = await openForm();
    await signUpWith('ada@example.com');
    unmount();
    await settle(0, ({ reject }) => reject(new TypeError('Failed to fetch')));
    expect(toast()).toBeUndefined();
    expect(log).toHaveBeenCalledTimes(1);
  });
});

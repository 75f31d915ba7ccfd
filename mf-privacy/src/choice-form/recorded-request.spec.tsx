import { type ErrorBody, privacyRequestKinds, privacyRequestSchema } from '@daybook/contract/api';
import { defaultSiteSettings } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { californiaUnsubscribe } from '../choices/california-unsubscribe.tsx';
import { limitSensitiveInformation } from '../choices/limit-sensitive-information.tsx';
import { privacyRightsRequest } from '../choices/privacy-rights-request.tsx';
import { profilingOptOut } from '../choices/profiling-opt-out.tsx';
import { unsubscribe } from '../choices/unsubscribe.tsx';
import remote from '../remote.ts';
import {
  accessibilityErrorsOf,
  button,
  confirmation as confirmationOf,
  email,
  openEntry,
  pass,
} from '../testing/choice-form.ts';
import { ChoicePage } from './choice-page.tsx';
import { failureMessage, processingDelay } from './process-request.ts';

const reference = 'K7QM-3XTA-9VD2';
const stored = () => Response.json({ reference, dueAt: '2026-11-23T12:00:00.000Z' }, { status: 201 });
const errorResponse = (statusCode: number, error: string, message: string) =>
  Response.json({ statusCode, error, message } satisfies ErrorBody, { status: statusCode });

let user: ReturnType<typeof userEvent.setup>;
let alert: jest.SpiedFunction<typeof window.alert>;
const request = jest.fn<typeof fetch>();
const sent = () => request.mock.calls.map(([, options]) => JSON.parse(String(options?.body)));

beforeEach(() => {
  jest.useFakeTimers();
  user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  alert = jest.spyOn(window, 'alert').mockReturnValue();
  jest.spyOn(console, 'log').mockReturnValue();
  request.mockReset().mockImplementation(async () => stored());
  globalThis.fetch = request;
  provideSiteSettings({ ...defaultSiteSettings, privacyRequests: 'record' });
});
afterEach(() => {
  provideSiteSettings(defaultSiteSettings);
  openEntry();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const show = (choice = unsubscribe) =>
  render(
    <main>
      <ChoicePage choice={choice} />
    </main>,
  );
const confirmation = () => confirmationOf('Unsubscribe Request Submitted');

async function submit(address = 'reader@example.com') {
  await user.clear(email());
  await user.type(email(), address);
  await user.click(button());
}

describe('a request that is recorded', () => {
  test('is sent once, as in the contract, by all kinds of pages', async () => {
    const kinds: string[] = [];
    for (const { page } of remote.routes) {
      request.mockClear();
      const Page = (await page()).default;
      const { unmount } = render(<Page />);
      await user.type(email(), ' reader@example.com ');
      const name = screen.queryByRole('textbox', { name: 'Full name' });
      if (name) await user.type(name, 'Ada Reader');
      const [category] = screen.queryAllByRole('checkbox');
      if (category) await user.click(category);
      await user.click(button());
      await user.click(button());
      await pass(processingDelay);
      expect(request.mock.calls).toEqual([
        ['/api/privacy-requests', expect.objectContaining({ method: 'POST', keepalive: true })],
      ]);
      const [body] = sent();
      expect(privacyRequestSchema.parse(body)).toEqual(body);
      expect(body).toMatchObject({ email: 'reader@example.com', pageVersion: 'mf-test@1.0.0-00000000' });
      kinds.push(body.kind);
      unmount();
      openEntry();
    }
    expect(kinds).toEqual(privacyRequestKinds);
  });

  test('contains the values of its form', async () => {
    const { unmount } = show(privacyRightsRequest);
    await user.type(screen.getByRole('textbox', { name: 'Full name' }), ' Ada Reader ');
    await user.selectOptions(screen.getByRole('combobox'), 'Correct My Data');
    await user.type(screen.getByRole('textbox', { name: /comments/ }), 'One letter{Enter}is wrong.');
    await submit();
    await pass(processingDelay);
    unmount();
    show(limitSensitiveInformation);
    await user.click(screen.getByRole('checkbox', { name: 'Health Information' }));
    await submit();
    expect(sent().map(({ fields }) => fields)).toEqual([
      { name: 'Ada Reader', requestType: 'correct', comments: 'One letter\nis wrong.' },
      { categoriesToLimit: ['health'] },
    ]);
  });

  test('takes at least a second, however fast the response is', async () => {
    show();
    await submit();
    await pass(processingDelay - 1);
    expect(button()).toHaveTextContent('Processing...');
    expect(confirmation()).toBeNull();
    await pass(1);
    expect(confirmation()).toBeVisible();
  });

  test('takes as long as a slow response', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    request.mockReturnValueOnce(promise);
    show();
    await submit();
    await pass(5 * processingDelay);
    expect(button()).toHaveTextContent('Processing...');
    resolve(stored());
    await pass(0);
    expect(confirmation()).toBeVisible();
  });

  test('is confirmed with its reference number, to be quoted to support', async () => {
    const { container } = show();
    await submit();
    await pass(processingDelay);
    expect(screen.getByText(reference)).toBeVisible();
    expect(confirmation()).toHaveFocus();
    expect(confirmation()).toHaveAccessibleDescription(
      /You are welcome back at any time\. Your reference number: K7QM-3XTA-9VD2 Please keep it/,
    );
    expect(alert).not.toHaveBeenCalled();
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test.each([
    [unsubscribe, 'Still getting emails after 48 hours? Please quote the reference number when you email'],
    [
      californiaUnsubscribe,
      'If you still receive emails after 48 hours, please contact support. Quote the reference number when you email',
    ],
    [profilingOptOut, 'Questions about your request? Please quote the reference number when you email'],
  ])('is followed by when to write to support, no longer as the reliable alternative: %#', async (choice, note) => {
    const { container } = show(choice);
    await submit();
    await pass(processingDelay);
    expect(container).toHaveTextContent(`${note} support@daybook.example.`);
    expect(container).not.toHaveTextContent('The sure way');
  });

  test('preserves its number when the visitor returns to it through the history', async () => {
    const { unmount } = show();
    await submit();
    await pass(processingDelay);
    unmount();
    show();
    expect(screen.getByText(reference)).toBeVisible();
  });

  test('is sent again when it is made again', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { unmount } = show();
      await submit();
      await pass(processingDelay);
      unmount();
      openEntry();
    }
    const [one, other] = sent();
    expect(other).toEqual(one);
  });
});

describe('a request that could not be recorded', () => {
  let logged: jest.SpiedFunction<typeof console.error>;
  beforeEach(() => {
    logged = jest.spyOn(console, 'error').mockReturnValue();
  });

  test.each([
    ['no response', () => Promise.reject(new TypeError('Failed to fetch')), failureMessage],
    ['a page of a proxy', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }), failureMessage],
    ['a response without a number', async () => Response.json({}, { status: 201 }), failureMessage],
    [
      'a site that does not record',
      async () => errorResponse(404, 'NOT_FOUND', 'There is nothing at this address.'),
      failureMessage,
    ],
    [
      'an address that is none',
      async () => errorResponse(400, 'VALIDATION_FAILED', 'Please enter a valid email address.'),
      'Please enter a valid email address.',
    ],
    [
      'too many requests',
      async () => errorResponse(429, 'TOO_MANY_REQUESTS', 'Please try again in 12 seconds.'),
      'Please try again in 12 seconds.',
    ],
  ])('shows an alert after the second for %s, and preserves everything typed', async (_what, respond, message) => {
    request.mockImplementationOnce(respond);
    const { container } = show(privacyRightsRequest);
    await user.type(screen.getByRole('textbox', { name: 'Full name' }), 'Ada Reader');
    await user.type(screen.getByRole('textbox', { name: /comments/ }), 'All of it.');
    await submit();
    await pass(processingDelay - 1);
    expect(alert).not.toHaveBeenCalled();
    await pass(1);
    expect(alert.mock.calls).toEqual([[message]]);
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(logged).toHaveBeenCalledWith('Privacy rights request failed:', expect.anything());
    expect(screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value)).toEqual([
      'reader@example.com',
      'Ada Reader',
      'All of it.',
    ]);
    expect(button()).not.toHaveAttribute('aria-disabled', 'true');

    await user.click(button());
    await pass(processingDelay);
    expect(screen.getByText(reference)).toBeVisible();
    // The response may have been lost: the API stores an equal open request once.
    const [first, second] = sent();
    expect(second).toEqual(first);
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });
});

test.each([
  [/Full name/, 200, 'Your name can have at most 200 characters.'],
  [/comments/, 10_000, 'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.'],
])(
  'a value of %s with more than %d characters is rejected next to the field, and not sent',
  async (label, maxLength, message) => {
    show(privacyRightsRequest);
    await user.type(screen.getByRole('textbox', { name: /Full name/ }), 'Ada');
    await user.type(email(), 'reader@example.com');
    const field = screen.getByRole('textbox', { name: label });
    await user.clear(field);
    await user.click(field);
    await user.paste('x'.repeat(maxLength + 1));
    await user.click(button());
    expect(field).toHaveAccessibleDescription(new RegExp(message));
    expect(field).toHaveFocus();
    expect(alert).not.toHaveBeenCalled();
    await user.keyboard('{End}{Backspace}');
    await user.click(button());
    await pass(processingDelay);
    expect(request).toHaveBeenCalledTimes(1);
    expect(screen.getByText(reference)).toBeVisible();
  },
);

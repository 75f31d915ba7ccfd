import { defaultSiteSettings } from '@daybook/contract';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { failureMessage } from '../choice-form/choice-form-copy.ts';
import { invalidEmailMessage } from '../choice-form/fields/email-field.tsx';
import { processingDelay } from '../choice-form/process-request.ts';
import UnsubscribePage from './unsubscribe-page.tsx';

const field = () => screen.getByRole('textbox', { name: 'Email address' });
const button = () => screen.getByRole('button');
const confirmation = () => screen.queryByRole('heading', { name: 'Unsubscribe Request Submitted' });
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));
const problemsOf = async (container: Element) => {
  jest.useRealTimers();
  return (await axe(container)).violations;
};

let user: ReturnType<typeof userEvent.setup>;
let alert: jest.SpiedFunction<typeof window.alert>;
let log: jest.SpiedFunction<typeof console.log>;
const request = jest.fn<typeof fetch>();

beforeEach(() => {
  jest.useFakeTimers();
  user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  alert = jest.spyOn(window, 'alert').mockReturnValue();
  log = jest.spyOn(console, 'log').mockReturnValue();
  globalThis.fetch = request;
});
afterEach(() => {
  expect(request).not.toHaveBeenCalled();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

function show() {
  return render(
    <main>
      <UnsubscribePage />
    </main>,
  );
}

async function submit(address: string) {
  await user.type(field(), address);
  await user.keyboard('{Enter}');
}

describe('the form', () => {
  test('asks for an address and says how long processing may take', async () => {
    const { container } = show();
    expect(field()).toBeRequired();
    expect(field()).toHaveAttribute('type', 'email');
    expect(button()).toHaveTextContent('Unsubscribe');
    expect(screen.getByText(/up to 48 hours, so/)).toBeVisible();
    expect(screen.getByRole('link', { name: defaultSiteSettings.supportAddress })).toHaveAttribute(
      'href',
      `mailto:${defaultSiteSettings.supportAddress}`,
    );
    expect(await problemsOf(container)).toEqual([]);
  });

  test.each(['', '   ', 'reader.example.com'])('refuses %p in an alert and beside the field', async (address) => {
    const { container } = show();
    if (address) await user.type(field(), address);
    await user.click(button());
    expect(alert.mock.calls).toEqual([[invalidEmailMessage]]);
    expect(screen.getByRole('alert')).toHaveTextContent(/^Please enter a valid email address$/);
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription(/Please enter a valid email address/);
    expect(field()).toHaveFocus();
    await pass(processingDelay);
    expect(confirmation()).toBeNull();
    expect(log).not.toHaveBeenCalled();
    expect(await problemsOf(container)).toEqual([]);
  });

  test('takes any address with an @ sign, once it was put right', async () => {
    show();
    await user.click(button());
    await submit('reader@localhost');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(button()).toHaveTextContent('Processing...');
  });
});

describe('processing', () => {
  test('takes one second, during which the button is disabled', async () => {
    const { container } = show();
    await submit('reader@example.com');
    expect(button()).toHaveTextContent('Processing...');
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    await pass(processingDelay - 1);
    expect(confirmation()).toBeNull();
    expect(await problemsOf(container)).toEqual([]);
  });

  test('is not started twice', async () => {
    show();
    await submit('reader@example.com');
    await user.keyboard('{Enter}');
    await user.click(button());
    await pass(processingDelay);
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('logs the address and the mailbox it is meant for', async () => {
    show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(log.mock.calls).toEqual([
      [`Unsubscribe request, intended for ${defaultSiteSettings.supportAddress}:`, { email: 'reader@example.com' }],
    ]);
  });

  test('that fails leads back to the form with an alert, and can be tried again', async () => {
    const errorLog = jest.spyOn(console, 'error').mockReturnValue();
    log.mockImplementationOnce(() => {
      throw new Error('out of order');
    });
    const { container } = show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(alert.mock.calls).toEqual([[failureMessage]]);
    expect(screen.getByRole('alert')).toHaveTextContent(failureMessage);
    expect(errorLog).toHaveBeenCalledTimes(1);
    expect(field()).toHaveValue('reader@example.com');
    expect(button()).not.toHaveAttribute('aria-disabled', 'true');

    await user.click(button());
    expect(screen.queryByRole('alert')).toBeNull();
    await pass(processingDelay);
    expect(confirmation()).toBeVisible();
    expect(await problemsOf(container)).toEqual([]);
  });
});

describe('the confirmation', () => {
  test('replaces the form, has the focus and leads home', async () => {
    const { container } = show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    expect(confirmation()).toHaveFocus();
    expect(confirmation()).toHaveAccessibleDescription(/up to 48 hours/);
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
    expect(alert).not.toHaveBeenCalled();
    expect(await problemsOf(container)).toEqual([]);
  });
});

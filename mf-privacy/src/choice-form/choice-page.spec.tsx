import { defaultSiteSettings } from '@daybook/contract/site';
import { LocationContext } from '@daybook/platform/host';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import fc from 'fast-check';
import { categoriesField } from '../choices/limit-sensitive-information.tsx';
import { nameField } from '../choices/privacy-rights-request.tsx';
import {
  accessibilityErrorsOf,
  button,
  confirmation as confirmationOf,
  email,
  openEntry,
  pass,
} from '../testing/choice-form.ts';
import { type Choice, emailField, invalidEmailMessage } from './choice.tsx';
import { ChoicePage } from './choice-page.tsx';
import { failureMessage, processingDelay } from './process-request.ts';

const choice: Choice = {
  kind: 'unsubscribe',
  requestName: 'Test request',
  heading: 'A Choice',
  lead: 'What the page is for.',
  explanation: 'Takes a second.',
  fields: [emailField],
  submitLabel: 'Choose',
  confirmation: { heading: 'Chosen', paragraphs: ['Allow a second.', 'Nothing else changes.'] },
  supportNote: 'Questions? Write to',
  Background: ({ components: { ul: List = 'ul' } = {} }) => (
    <>
      <h2>What it means</h2>
      <List>
        <li>A choice is a choice.</li>
      </List>
    </>
  ),
};
const missingCategoryMessage = 'Please select at least one category of sensitive information';
const missingNameMessage = 'Please enter your full name';
const withAllFields: Choice = { ...choice, fields: [emailField, nameField, categoriesField] };

/** What other scripts may have stored in the state of a history entry. */
const historyStates = fc.oneof(
  fc.anything({ withDate: true, withMap: true, withTypedArray: true }).filter((state) => typeof state !== 'symbol'),
  fc.record({ key: fc.oneof(fc.integer(), fc.constant(null), fc.object(), fc.constant({ toString: null })) }),
  fc.record({ submitted: fc.anything() }),
);

const confirmation = () => confirmationOf('Chosen');

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
  openEntry();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const show = (shown = choice) =>
  render(
    <main>
      <ChoicePage choice={shown} />
    </main>,
  );

/** Makes the next processing of a request fail: its values cannot be serialized. */
function breakProcessing(reason: Error) {
  const { stringify } = JSON;
  const broken = jest.spyOn(JSON, 'stringify').mockImplementation((value, ...options) => {
    if (!(value instanceof Object && 'email' in value)) return stringify(value, ...(options as []));
    broken.mockRestore();
    throw reason;
  });
}

async function submit(address: string) {
  await user.type(email(), address);
  await user.keyboard('{Enter}');
}

describe('a choice form', () => {
  test('explains the choice above the form', async () => {
    const { container } = show();
    expect(screen.getByText('What the page is for.')).toBeVisible();
    expect(screen.getByText('Takes a second.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: 'What it means' })).toBeVisible();
    expect(screen.getByRole('list')).toHaveTextContent('A choice is a choice.');
    expect(screen.getByRole('link', { name: defaultSiteSettings.supportAddress })).toHaveAttribute(
      'href',
      `mailto:${defaultSiteSettings.supportAddress}`,
    );
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test("turns the browser's validation off", () => {
    show();
    expect(email()).toBeRequired();
    expect(email()).toHaveAttribute('type', 'email');
    expect(email()).toHaveAttribute('autocomplete', 'email');
    expect(email().closest('form')).toHaveAttribute('novalidate');
    // A press before the script is loaded sends nothing, and no address.
    expect(email().closest('form')).toHaveAttribute('method', 'dialog');
    expect(button()).toHaveTextContent('Choose');
  });

  test.each(['', '   ', 'reader.example.com', 'a@x.example,b@y.example', '"a"@b.co', 'o’hara@b.co', 'a@b.co..'])(
    'rejects %p in an alert and beside the field',
    async (address) => {
      const { container } = show();
      if (address) await user.type(email(), address);
      await user.click(button());
      expect(alert.mock.calls).toEqual([[invalidEmailMessage]]);
      expect(screen.getByRole('alert')).toHaveTextContent(/^Please enter a valid email address$/);
      expect(email()).toBeInvalid();
      expect(email()).toHaveAccessibleDescription(/Please enter a valid email address/);
      expect(email()).toHaveFocus();
      await pass(processingDelay);
      expect(confirmation()).toBeNull();
      expect(log).not.toHaveBeenCalled();
      expect(await accessibilityErrorsOf(container)).toEqual([]);
    },
  );

  test('shows the message on the page before the alert blocks everything', async () => {
    let shown: string | null | undefined;
    alert.mockImplementation(() => {
      shown = screen.getByRole('alert').textContent;
    });
    show();
    await user.click(button());
    expect(shown).toBe(invalidEmailMessage);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('Dialogs are not supported.');
      },
    ],
    ['is missing', undefined],
  ])('shows its messages and can be used if alert() %s', async (_what, replaced) => {
    jest.spyOn(console, 'error').mockReturnValue();
    Object.assign(window, { alert: replaced });
    breakProcessing(new Error('out of order'));
    show();
    await submit('reader');
    expect(screen.getByRole('alert')).toHaveTextContent(invalidEmailMessage);
    expect(email()).toHaveFocus();
    await submit('@example.com');
    await pass(processingDelay);
    expect(screen.getByRole('alert')).toHaveTextContent(failureMessage);
    await user.click(button());
    await pass(processingDelay);
    expect(confirmation()).toBeVisible();
  });

  test('alerts at each rejection', async () => {
    show();
    await user.click(button());
    await user.click(button());
    expect(alert.mock.calls).toEqual([[invalidEmailMessage], [invalidEmailMessage]]);
  });

  test('removes the message as soon as the address is corrected', async () => {
    show();
    await user.click(button());
    await user.type(email(), 'reader');
    expect(screen.getByRole('alert')).toBeVisible();
    await user.type(email(), '@localhost');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(email()).not.toHaveAttribute('aria-invalid');
    await submit('.');
    expect(button()).toHaveTextContent('Processing...');
  });

  test('stops at the first invalid field from the top', async () => {
    const { container } = show(withAllFields);
    const message = () => screen.getByRole('alert').textContent;
    await user.click(button());
    expect(message()).toBe(invalidEmailMessage);

    await submit('reader@example.com');
    expect(message()).toBe(missingNameMessage);
    const name = screen.getByRole('textbox', { name: 'Full name' });
    expect(name).toHaveFocus();
    expect(name).toHaveAccessibleDescription(missingNameMessage);

    await user.keyboard('Ada Reader{Enter}');
    expect(message()).toBe(missingCategoryMessage);
    expect(screen.getByRole('checkbox', { name: 'Financial Information' })).toHaveFocus();
    expect(screen.getByRole('group')).toHaveAccessibleDescription(/Please select at least one category/);

    expect(alert.mock.calls).toEqual([[invalidEmailMessage], [missingCategoryMessage]]);
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });
});

describe('processing a request', () => {
  test('takes one second with a disabled button that retains the focus', async () => {
    const { container } = show();
    await user.type(email(), 'reader@example.com');
    await user.click(button());
    expect(button()).toHaveTextContent('Processing...');
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    expect(button()).toHaveFocus();
    await pass(processingDelay - 1);
    expect(confirmation()).toBeNull();
    expect(log).not.toHaveBeenCalled();
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test('is not started twice', async () => {
    show();
    await submit('reader@example.com');
    await user.keyboard('{Enter}');
    await user.click(button());
    await pass(2 * processingDelay);
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('logs the values without what was pasted with them, and the mailbox that they are intended for', async () => {
    show(withAllFields);
    await user.type(email(), '<reader@Example.com>,');
    await user.type(screen.getByRole('textbox', { name: 'Full name' }), ' Ada Reader ');
    await user.click(screen.getByRole('checkbox', { name: 'Health Information' }));
    await user.click(button());
    await pass(processingDelay);
    expect(log.mock.calls).toEqual([
      [
        `Test request, intended for ${defaultSiteSettings.supportAddress}: ` +
          '{"email":"reader@example.com","name":"Ada Reader","categoriesToLimit":["health"]}',
      ],
    ]);
  });

  test('submits what its fields show, also if they were filled in without an event', async () => {
    show(withAllFields);
    await user.click(button());
    Object.assign(email(), { value: 'reader@example.com' });
    Object.assign(screen.getByRole('textbox', { name: 'Full name' }), { value: 'Ada Reader' });
    Object.assign(screen.getByRole('checkbox', { name: 'Health Information' }), { checked: true });
    await user.click(button());
    await pass(processingDelay);
    expect(log).toHaveBeenCalledWith(
      expect.stringContaining('{"email":"reader@example.com","name":"Ada Reader","categoriesToLimit":["health"]}'),
    );
  });

  test('is confirmed although the console throws', async () => {
    log.mockImplementation(() => {
      throw new Error('It was replaced.');
    });
    show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(confirmation()).toBeVisible();
    expect(alert).not.toHaveBeenCalled();
  });

  test('returns to the form with an alert after a failure, and can be retried', async () => {
    const errorLog = jest.spyOn(console, 'error').mockReturnValue();
    const reason = new Error('out of order');
    breakProcessing(reason);
    const { container } = show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(alert.mock.calls).toEqual([[failureMessage]]);
    expect(screen.getByRole('alert')).toHaveTextContent(
      /^There was an error processing your request\. Please try again\.$/,
    );
    expect(errorLog.mock.calls).toEqual([['Test request failed:', reason]]);
    expect(email()).toHaveValue('reader@example.com');
    expect(button()).toHaveTextContent('Choose');
    expect(button()).not.toHaveAttribute('aria-disabled', 'true');

    await user.click(button());
    expect(screen.queryByRole('alert')).toBeNull();
    await pass(processingDelay);
    expect(confirmation()).toBeVisible();
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });
});

describe('a submitted form', () => {
  const submitAndLeave = async () => {
    const { unmount } = show();
    await submit('reader@example.com');
    await pass(processingDelay);
    unmount();
  };

  const goBackTo = (entry: unknown) => history.replaceState(entry, '');

  test('stays submitted when the visitor returns to it through the history', async () => {
    await submitAndLeave();
    const submittedFrom = history.state;
    openEntry();
    goBackTo(submittedFrom);
    show();
    expect(confirmation()).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  test('stays submitted in each entry of its visit: a link to another query or anchor of the page, or to itself', async () => {
    const entries = [openEntry()];
    const at = () => (
      <LocationContext value={{ ...window.location, state: null }}>
        <ChoicePage choice={choice} />
      </LocationContext>
    );
    const { rerender, unmount } = render(at());
    entries.push(openEntry());
    rerender(at());
    await submit('reader@example.com');
    entries.push(openEntry());
    rerender(at());
    await pass(processingDelay);
    entries.push(openEntry());
    rerender(at());
    unmount();
    openEntry();
    for (const entry of entries) {
      goBackTo(entry);
      const returned = render(at());
      expect(confirmation()).toBeVisible();
      returned.unmount();
    }
  });

  test('is submitted for a visitor who leaves while it is processed', async () => {
    const { unmount } = show();
    await submit('reader@example.com');
    const submittedFrom = history.state;
    unmount();
    openEntry();
    goBackTo(submittedFrom);
    show();
    expect(button()).toHaveTextContent('Processing...');
    await pass(processingDelay);
    expect(confirmation()).toBeVisible();
    expect(log).toHaveBeenCalledTimes(1);
  });

  test('stays submitted whatever other scripts put into the state of its entry, and whenever', async () => {
    jest.useRealTimers();
    await fc.assert(
      fc.asyncProperty(historyStates, historyStates, fc.boolean(), async (before, after, isReplacedAfter) => {
        jest.useFakeTimers();
        user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
        openEntry();
        if (!isReplacedAfter) history.replaceState(before, '');
        const { unmount } = show();
        await submit('reader@example.com');
        await pass(processingDelay);
        if (isReplacedAfter) history.replaceState(after, '');
        unmount();
        const returned = show();
        expect(confirmation()).toBeVisible();
        returned.unmount();
      }),
      { numRuns: 10 },
    );
  });

  describe('in an entry of another document', () => {
    /** jsdom has no timeline. */
    const arriveBy = (type: string) =>
      Object.assign(performance, { getEntriesByType: () => [{ type, name: location.href }] });
    afterEach(() => {
      Reflect.deleteProperty(performance, 'getEntriesByType');
    });

    const stored = (submitted: unknown) => {
      openEntry();
      history.replaceState({ ...history.state, submitted }, '');
    };

    test('stays submitted when the browser comes back to it', async () => {
      await submitAndLeave();
      const { submitted } = history.state;
      stored(submitted);
      arriveBy('back_forward');
      show();
      expect(confirmation()).toBeVisible();
      expect(history.state).toMatchObject({ key: expect.stringMatching('entry-') });
    });

    test.each([undefined, null, 7, 'Test request', [], {}, { requestName: 'Other request' }, { requestName: null }])(
      'is a form if its state has %j in place of the submission',
      (submitted) => {
        stored(submitted);
        arriveBy('back_forward');
        show();
        expect(email()).toBeVisible();
      },
    );

    test('is a form again after a reload, for good', () => {
      stored({ requestName: 'Test request' });
      arriveBy('reload');
      const { unmount } = show();
      expect(email()).toBeVisible();
      unmount();
      expect(history.state).not.toHaveProperty('submitted', expect.anything());
    });
  });

  test('is a form again when it is opened anew', async () => {
    await submitAndLeave();
    openEntry();
    show();
    expect(email()).toBeVisible();
  });

  test('does not affect another choice', async () => {
    await submitAndLeave();
    show({ ...choice, requestName: 'Other request' });
    expect(email()).toBeVisible();
  });
});

test('the confirmation of a choice replaces the form, takes the focus and links home', async () => {
  const { container } = show();
  await submit('reader@example.com');
  await pass(processingDelay);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
  expect(confirmation()).toHaveFocus();
  expect(confirmation()).toHaveAccessibleDescription('Allow a second. Nothing else changes.');
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  expect(alert).not.toHaveBeenCalled();
  expect(await accessibilityErrorsOf(container)).toEqual([]);
});

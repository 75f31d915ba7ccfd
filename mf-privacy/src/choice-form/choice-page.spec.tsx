import type { ErrorBody } from '@daybook/contract/api';
import { defaultSiteSettings } from '@daybook/contract/site';
import { LocationContext, provideSiteSettings } from '@daybook/platform/host';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import fc from 'fast-check';
import { categoriesField } from '../choices/limit-sensitive-information.tsx';
import { nameField } from '../choices/privacy-rights-request.tsx';
import { button, email, openEntry, reference, stored } from '../testing/choice-form.ts';
import { type Choice, emailField, invalidEmailMessage } from './choice.tsx';
import { ChoicePage } from './choice-page.tsx';
import { failureMessage, processingDelay } from './process-request.ts';

// What all forms have in common is tested for three choices, in choices.spec.tsx.

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
const withAllFields: Choice = { ...choice, fields: [emailField, nameField, categoriesField] };

let user: UserEvent;
let alert: jest.SpiedFunction<typeof window.alert>;
let log: jest.SpiedFunction<typeof console.log>;
const request = jest.fn<typeof fetch>();

beforeEach(() => {
  jest.useFakeTimers();
  user = userEvent.setup({ delay: null });
  alert = jest.spyOn(window, 'alert').mockReturnValue();
  log = jest.spyOn(console, 'log').mockReturnValue();
  request.mockReset().mockImplementation(async () => stored());
  globalThis.fetch = request;
});
afterEach(() => {
  provideSiteSettings(defaultSiteSettings);
  openEntry();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const record = () => provideSiteSettings({ ...defaultSiteSettings, privacyRequests: 'record' });
const confirmation = () => screen.queryByRole('heading', { level: 2, name: 'Chosen' });
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));
const show = (shown = choice) =>
  render(
    <main>
      <ChoicePage choice={shown} />
    </main>,
  );

async function submit(address: string) {
  await user.type(email(), address);
  await user.keyboard('{Enter}');
}

describe('a choice form', () => {
  test('explains the choice above the form, and sends nothing before the script is loaded', () => {
    show();
    expect(screen.getByText('What the page is for.')).toBeVisible();
    expect(screen.getByText('Takes a second.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: 'What it means' })).toBeVisible();
    expect(screen.getByRole('list')).toHaveTextContent('A choice is a choice.');
    expect(screen.getByRole('link', { name: defaultSiteSettings.supportAddress })).toHaveAttribute(
      'href',
      `mailto:${defaultSiteSettings.supportAddress}`,
    );
    expect(email()).toBeRequired();
    expect(email()).toHaveAttribute('type', 'email');
    expect(email()).toHaveAttribute('autocomplete', 'email');
    expect(email().closest('form')).toHaveAttribute('novalidate');
    expect(email().closest('form')).toHaveAttribute('method', 'dialog');
  });

  test.each(['   ', 'reader.example.com', 'a@x.example,b@y.example'])(
    'rejects %p each time on the page, before an alert with the same text, until it is corrected',
    async (address) => {
      const shown: unknown[] = [];
      alert.mockImplementation((message) => shown.push([message, screen.getByRole('alert').textContent]));
      show();
      await submit(address);
      await user.click(button());
      expect(shown).toEqual(Array(2).fill([invalidEmailMessage, invalidEmailMessage]));
      expect(invalidEmailMessage).toBe('Please enter a valid email address');
      expect(email()).toHaveFocus();
      await user.type(email(), 'x');
      expect(screen.getByRole('alert')).toBeVisible();
      await pass(processingDelay);
      expect(confirmation()).toBeNull();
    },
  );

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
    record();
    request.mockRejectedValueOnce(new TypeError('Failed to fetch'));
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

  test('stops at the first invalid field from the top', async () => {
    show(withAllFields);
    const message = () => screen.getByRole('alert').textContent;
    await user.click(button());
    expect(message()).toBe(invalidEmailMessage);
    await submit('reader@example.com');
    expect(message()).toBe('Please enter your full name');
    expect(screen.getByRole('textbox', { name: 'Full name' })).toHaveFocus();
    expect(screen.getByRole('textbox', { name: 'Full name' })).toHaveAccessibleDescription(message() ?? '');

    await user.keyboard('Ada Reader{Enter}');
    const missingCategory = 'Please select at least one category of sensitive information';
    expect(message()).toBe(missingCategory);
    expect(screen.getByRole('checkbox', { name: 'Financial Information' })).toHaveFocus();
    expect(screen.getByRole('group')).toHaveAccessibleDescription(expect.stringContaining(missingCategory));
    expect(alert.mock.calls).toEqual([[invalidEmailMessage], [missingCategory]]);
  });
});

describe('a request that is not recorded', () => {
  afterEach(() => expect(request).not.toHaveBeenCalled());

  test('takes a second, and is confirmed with the focus, the reliable alternative and a link home', async () => {
    const { container } = show();
    await submit('reader@example.com');
    await pass(processingDelay - 1);
    expect(confirmation()).toBeNull();
    expect(log).not.toHaveBeenCalled();
    await pass(1);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    expect(confirmation()).toHaveFocus();
    expect(confirmation()).toHaveAccessibleDescription('Allow a second. Nothing else changes.');
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
    expect(container).toHaveTextContent('Questions? Write to support@daybook.example.');
    expect(alert).not.toHaveBeenCalled();
  });

  test('logs the values without what was pasted with them, also if they were filled in without an event', async () => {
    show(withAllFields);
    await user.click(button());
    Object.assign(email(), { value: '<reader@Example.com>,' });
    Object.assign(screen.getByRole('textbox', { name: 'Full name' }), { value: ' Ada Reader ' });
    Object.assign(screen.getByRole('checkbox', { name: 'Health Information' }), { checked: true });
    await user.click(button());
    await pass(processingDelay);
    expect(log.mock.calls).toEqual([
      [
        `Test request, intended for ${defaultSiteSettings.supportAddress}: ` +
          '{"email":"reader@example.com","name":"Ada Reader","categoriesToLimit":["health"]}',
      ],
    ]);
  });

  test('is confirmed although the console throws', async () => {
    log.mockImplementation(() => {
      throw new Error('It was replaced.');
    });
    show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(confirmation()).toBeVisible();
  });
});

describe('a request that is recorded', () => {
  beforeEach(record);

  test.each([
    ['at least a second, however fast the response is', 0, processingDelay],
    ['as long as a slow response', 5 * processingDelay, 5 * processingDelay],
  ])('takes %s', async (_how, responseTime, duration) => {
    request.mockImplementation(() => new Promise((resolve) => setTimeout(() => resolve(stored()), responseTime)));
    show();
    await submit('reader@example.com');
    await pass(duration - 1);
    expect(button()).toHaveTextContent('Processing...');
    await pass(1);
    expect(confirmation()).toHaveAccessibleDescription(/Your reference number: K7QM-3XTA-9VD2 Please keep it/);
  });

  const errorResponse = (statusCode: number, error: string, message: string) =>
    Response.json({ statusCode, error, message } satisfies ErrorBody, { status: statusCode });
  test.each([
    ['a page of a proxy', new Response('<h1>Bad gateway</h1>', { status: 502 }), failureMessage],
    ['a response without a number', Response.json({}, { status: 201 }), failureMessage],
    ['a site that does not record', errorResponse(404, 'NOT_FOUND', 'There is nothing here.'), failureMessage],
    ['an invalid address', errorResponse(400, 'VALIDATION_FAILED', 'Please write it again.'), 'Please write it again.'],
    ['too many requests', errorResponse(429, 'TOO_MANY_REQUESTS', 'Again in 12 seconds.'), 'Again in 12 seconds.'],
  ])('fails with an alert after the second for %s, and a log entry', async (_what, response, message) => {
    const logged = jest.spyOn(console, 'error').mockReturnValue();
    request.mockResolvedValueOnce(response);
    show();
    await submit('reader@example.com');
    await pass(processingDelay - 1);
    expect(alert).not.toHaveBeenCalled();
    await pass(1);
    expect(alert.mock.calls).toEqual([[message]]);
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(logged).toHaveBeenCalledWith('Test request failed:', expect.anything());
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

  test('stays submitted, with its number, when the visitor returns to it through the history', async () => {
    record();
    await submitAndLeave();
    const submittedFrom = history.state;
    openEntry();
    goBackTo(submittedFrom);
    show();
    expect(confirmation()).toBeVisible();
    await pass(0);
    expect(screen.getByText(reference)).toBeVisible();
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
    const enter = () => {
      entries.push(openEntry());
      rerender(at());
    };
    enter();
    await submit('reader@example.com');
    enter();
    await pass(processingDelay);
    enter();
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
    const states = fc.oneof(
      fc.anything({ withDate: true, withMap: true, withTypedArray: true }).filter((state) => typeof state !== 'symbol'),
      fc.record({ key: fc.oneof(fc.integer(), fc.constant(null), fc.object(), fc.constant({ toString: null })) }),
      fc.record({ submitted: fc.anything() }),
    );
    jest.useRealTimers();
    await fc.assert(
      fc.asyncProperty(states, fc.boolean(), async (state, isReplacedAfter) => {
        jest.useFakeTimers();
        user = userEvent.setup({ delay: null });
        openEntry();
        if (!isReplacedAfter) history.replaceState(state, '');
        const { unmount } = show();
        await submit('reader@example.com');
        await pass(processingDelay);
        if (isReplacedAfter) history.replaceState(state, '');
        unmount();
        const returned = show();
        expect(confirmation()).toBeVisible();
        returned.unmount();
      }),
      { numRuns: 10 },
    );
  });

  describe('in an entry of another document', () => {
    /** Arrives at an entry that stores this in place of a submission; jsdom has no timeline. */
    const arriveBy = (type: string, submitted: unknown) => {
      openEntry();
      history.replaceState({ ...history.state, submitted }, '');
      Object.assign(performance, { getEntriesByType: () => [{ type, name: location.href }] });
    };
    afterEach(() => {
      Reflect.deleteProperty(performance, 'getEntriesByType');
    });

    test('stays submitted when the browser comes back to it', async () => {
      await submitAndLeave();
      arriveBy('back_forward', history.state.submitted);
      show();
      expect(confirmation()).toBeVisible();
      expect(history.state).toMatchObject({ key: expect.stringMatching('entry-') });
    });

    test.each([undefined, null, 7, 'Test request', [], {}, { requestName: 'Other request' }, { requestName: null }])(
      'is a form if its state has %j in place of the submission',
      (submitted) => {
        arriveBy('back_forward', submitted);
        show();
        expect(email()).toBeVisible();
      },
    );

    test('is a form again after a reload, for good', () => {
      arriveBy('reload', { requestName: 'Test request' });
      show();
      expect(email()).toBeVisible();
      expect(history.state).not.toHaveProperty('submitted', expect.anything());
    });
  });

  test('is a form again when it is opened anew, and affects no other choice', async () => {
    await submitAndLeave();
    const { unmount } = show({ ...choice, requestName: 'Other request' });
    expect(email()).toBeVisible();
    unmount();
    openEntry();
    show();
    expect(email()).toBeVisible();
  });
});

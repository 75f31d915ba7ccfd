import { type ErrorBody, privacyRequestSchema } from '@daybook/contract/api';
import { defaultSiteSettings } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { formSpec } from '@daybook/testing/form-spec';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { ChoicePage } from '../choice-form/choice-page.tsx';
import { limitSensitiveInformation } from './limit-sensitive-info.tsx';
import { privacyRightsRequest } from './privacy-rights-request.tsx';
import { unsubscribe } from './unsubscribe.tsx';

/** Texts of docs/product.md (Privacy choices): path, title, button, confirmation and processing time. */
const pages = `
  unsubscribe|Unsubscribe|Unsubscribe|Unsubscribe Request Submitted|48 hours
  ca-unsubscribe|California Specific Unsubscribe|Unsubscribe|Unsubscribe Request Submitted|48 hours
  privacy-rights-request|Privacy Rights Request|Submit Request|Request Submitted Successfully|45 days
  profiling-opt-out|Profiling Opt-Out|Opt Out of Profiling|Opt-Out Request Submitted|15 business days
  targeted-opt-out|Targeted Advertising Opt-Out|Opt Out of Targeted Ads|Opt-Out Request Submitted|15 business days
  limit-sensitive-info|Limit Use of Sensitive Information|Submit Request|Request Submitted Successfully|15 business days
`;
const rows = pages
  .trim()
  .split('\n')
  .map((line) => line.trim().split('|') as [string, string, string, string, string]);

const failureMessage = 'There was an error processing your request. Please try again.';
const invalidEmailMessage = 'Please enter a valid email address';
/** In ms (docs/product.md, Constants). */
const processingDelay = 1000;
const reference = 'K7QM-3XTA-9VD2';
const stored = () => Response.json({ reference, dueAt: '2026-11-23T12:00:00.000Z' }, { status: 201 });

let user: UserEvent;
let alert: jest.SpiedFunction<typeof window.alert>;
let log: jest.SpiedFunction<typeof console.log>;
const request = jest.fn<typeof fetch>();
let entries = 0;

/** Opens another history entry, like a navigation; returns its state. */
function openEntry(): unknown {
  entries += 1;
  history.replaceState({ idx: entries, key: `entry-${entries}` }, '', `?entry=${entries}`);
  return history.state;
}

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
const show = (choice = unsubscribe) =>
  render(
    <main>
      <ChoicePage choice={choice} />
    </main>,
  );
const email = () => screen.getByRole('textbox', { name: 'Email address' });
const button = () => screen.getByRole('button');
const confirmation = () => screen.queryByRole('heading', { level: 2, name: 'Unsubscribe Request Submitted' });
const sent = () => request.mock.calls.map(([, options]) => JSON.parse(String(options?.body)));
const pass = (time: number) => act(() => jest.advanceTimersByTimeAsync(time));

/** Fills in the required fields of any choice. */
async function fillIn(visitor: UserEvent) {
  await visitor.type(email(), ' reader@example.com ');
  const name = screen.queryByRole('textbox', { name: 'Full name' });
  if (name) await visitor.type(name, 'Ada Reader');
  const [category] = screen.queryAllByRole('checkbox');
  if (category) await visitor.click(category);
}

async function submit(address?: string) {
  if (address) await user.type(email(), address);
  await user.click(button());
}

formSpec('a choice form', {
  show() {
    record();
    return show(privacyRightsRequest).container;
  },
  fill: fillIn,
  button: 'Submit Request',
  busyLabel: 'Processing...',
  isDisabled: true,
  invalid: { message: invalidEmailMessage, focused: email, described: email },
  success: {
    response: stored,
    focused: () => screen.getByRole('heading', { level: 2 }),
    announced: 'Request Submitted Successfully',
  },
  failure: failureMessage,
});

test.each(rows)(
  '/%s explains its choice, sends the request, and confirms it',
  async (name, title, label, confirmed, time) => {
    record();
    const { default: Page, route } = await import(`./${name}.tsx`);
    expect(route).toMatchObject({ path: `/${name}`, title, frame: 'privacy' });
    const { container } = render(<Page />);
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(container).toHaveTextContent(time);
    // In the demo's note, which the styles hide here, and below the form.
    for (const link of screen.getAllByRole('link', { name: 'support@daybook.example' }))
      expect(link).toHaveAttribute('href', 'mailto:support@daybook.example');
    expect(button()).toHaveTextContent(label);
    expect(email()).toBeRequired();
    expect(email().closest('form')).toHaveAttribute('method', 'dialog');
    await fillIn(user);
    await submit();
    await pass(processingDelay);
    const [body] = sent();
    expect(privacyRequestSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ kind: name, email: 'reader@example.com', pageVersion: RELEASE_NAME });
    expect(screen.getByRole('heading', { level: 2, name: confirmed })).toBeVisible();
    expect(screen.getByText(reference)).toBeVisible();
    for (const text of [time, 'nclude the reference number']) expect(container).toHaveTextContent(text);
    expect(container).not.toHaveTextContent('demo');
  },
);

describe('a choice form', () => {
  test('of a privacy rights request has a name, six types, and optional comments', async () => {
    record();
    show(privacyRightsRequest);
    expect(screen.getByRole('textbox', { name: 'Full name' })).toBeRequired();
    expect(screen.getByRole('textbox', { name: 'Additional comments (optional)' })).not.toBeRequired();
    const type = screen.getByRole('combobox', { name: 'Request type' });
    expect(type).toBeRequired();
    expect(type).toHaveDisplayValue('Access My Data');
    const options = within(type).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ value, textContent }) => `${value}: ${textContent}`).join(', ')).toBe(
      'access: Access My Data, delete: Delete My Data, correct: Correct My Data, portability: Data Portability, ' +
        'restrict: Restrict Processing, object: Object to Processing',
    );
    await fillIn(user);
    await user.selectOptions(type, 'Correct My Data');
    await user.type(screen.getByRole('textbox', { name: /comments/ }), 'One letter{Enter}is wrong.');
    await submit();
    expect(sent()).toMatchObject([
      { fields: { name: 'Ada Reader', requestType: 'correct', comments: 'One letter\nis wrong.' } },
    ]);
  });

  test('has six categories of sensitive information to turn on and off', async () => {
    record();
    show(limitSensitiveInformation);
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ labels }) => labels?.[0]?.textContent).join(', ')).toBe(
      'Financial Information, Health Information, Precise Location Data, Demographic Information, ' +
        'Biometric Information, Browsing History',
    );
    for (const box of [...boxes, ...boxes.slice(2, 3)]) await user.click(box);
    await submit('reader@example.com');
    expect(sent()).toMatchObject([
      { fields: { categoriesToLimit: ['financial', 'health', 'demographic', 'biometric', 'browsing'] } },
    ]);
  });

  test('rejects the first invalid field each time on the page, before any alert', async () => {
    const fields = [...privacyRightsRequest.fields.slice(0, 2), ...limitSensitiveInformation.fields.slice(1)];
    show({ ...unsubscribe, fields });
    const alerted: unknown[] = [];
    alert.mockImplementation((message) => alerted.push([message, screen.getByRole('alert').textContent]));
    await submit('reader.example.com');
    expect(alerted.pop()).toEqual([invalidEmailMessage, invalidEmailMessage]);
    expect(email()).toHaveFocus();
    await user.clear(email());
    await submit('reader@example.com');
    const name = screen.getByRole('textbox', { name: 'Full name' });
    expect(name).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter your full name');
    await user.type(name, 'Ada Reader');
    await submit();
    const missingCategory = 'Please select at least one category of sensitive information';
    expect(alerted).toEqual([[missingCategory, missingCategory]]);
    expect(screen.getByRole('checkbox', { name: 'Financial Information' })).toHaveFocus();
    // Without an event, like some password managers.
    Object.assign(screen.getByRole('checkbox', { name: 'Health Information' }), { checked: true });
    await submit();
    await pass(processingDelay);
    expect(confirmation()).toBeVisible();
  });

  test('rejects a name of more than 200 characters at the field', async () => {
    record();
    show(privacyRightsRequest);
    await fillIn(user);
    const field = screen.getByRole('textbox', { name: 'Full name' });
    fireEvent.change(field, { target: { value: 'x'.repeat(201) } });
    await submit();
    expect(field).toHaveAccessibleDescription('Your name can have at most 200 characters.');
    expect(field).toHaveFocus();
    expect(request).not.toHaveBeenCalled();
  });
});

describe('a request', () => {
  const demo = /^This was a demo: nothing was sent\. To make this request, email support@daybook\.example/;

  test('that is not recorded takes a second, sends nothing, and is logged', async () => {
    show();
    expect(screen.getByText(/^This form is a demo and sends nothing\./)).toBeVisible();
    await submit(' reader@Example.com');
    await pass(processingDelay - 1);
    expect(confirmation()).toBeNull();
    expect(log).not.toHaveBeenCalled();
    await pass(1);
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(confirmation()).toHaveAccessibleDescription(demo);
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
    expect([request.mock.calls, alert.mock.calls]).toEqual([[], []]);
    expect(log.mock.calls).toEqual([
      ['Unsubscribe request, intended for support@daybook.example: {"email":"reader@example.com"}'],
    ]);
  });

  test('that fails in a proxy gets the page’s own message', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    record();
    request.mockResolvedValueOnce(Response.json({ message: 'Bad gateway' }, { status: 502 }));
    show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(screen.getByRole('alert')).toHaveTextContent(failureMessage);
  });

  test('that fails is explained by the server, and logged', async () => {
    const logged = jest.spyOn(console, 'error').mockReturnValue();
    record();
    const body: ErrorBody = { statusCode: 429, error: 'TOO_MANY_REQUESTS', message: 'Again in 12 seconds.' };
    request.mockResolvedValueOnce(Response.json(body, { status: 429 }));
    show();
    await submit('reader@example.com');
    await pass(processingDelay);
    expect(alert.mock.calls).toEqual([[body.message]]);
    expect(screen.getByRole('alert')).toHaveTextContent(body.message);
    expect(logged).toHaveBeenCalledWith('Unsubscribe request failed:', expect.anything());
  });
});

test('a form stays submitted for a visitor who leaves while it is processed', async () => {
  record();
  const { unmount } = show();
  await submit('reader@example.com');
  const submittedFrom = history.state;
  unmount();
  openEntry();
  history.replaceState(submittedFrom, '');
  show();
  expect(button()).toHaveTextContent('Processing...');
  await pass(processingDelay);
  expect(confirmation()).toBeVisible();
  expect(screen.getByText(reference)).toBeVisible();
  // For Back from another document.
  expect(history.state.submitted).toEqual({ requestName: 'Unsubscribe request', reference });
  expect(request).toHaveBeenCalledTimes(1);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { privacyRequestKinds, privacyRequestSchema } from '@daybook/contract/api';
import { defaultSiteSettings } from '@daybook/contract/site';
import { provideSiteSettings } from '@daybook/platform/host';
import { formSpec } from '@daybook/testing/form-spec';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, render, screen, within } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { Choice } from '../choice-form/choice.tsx';
import { ChoicePage } from '../choice-form/choice-page.tsx';
import { failureMessage, processingDelay } from '../choice-form/process-request.ts';
import remote from '../remote.ts';
import { button, email, openEntry, reference, stored } from '../testing/choice-form.ts';
import { californiaUnsubscribe } from './california-unsubscribe.tsx';
import { limitSensitiveInformation } from './limit-sensitive-information.tsx';
import { privacyRightsRequest } from './privacy-rights-request.tsx';
import { profilingOptOut } from './profiling-opt-out.tsx';
import { targetedOptOut } from './targeted-opt-out.tsx';
import { unsubscribe } from './unsubscribe.tsx';

interface Expected {
  readonly choice: Choice;
  readonly title: string;
  readonly button: string;
  readonly confirmation: string;
  /** Texts of the page before and after submitting. */
  readonly before: RegExp;
  readonly after: readonly RegExp[];
  /** When to write to support once the request is stored. */
  readonly support: string;
}

const questions = 'Questions about your request? Please quote the reference number when you email';

/** The texts of docs/product.md (Privacy choices and Constants). */
const expected: Readonly<Record<string, Expected>> = {
  '/unsubscribe': {
    choice: unsubscribe,
    title: 'Unsubscribe',
    button: 'Unsubscribe',
    confirmation: 'Unsubscribe Request Submitted',
    before: /may take up to 48 hours/,
    after: [/allow up to 48 hours/],
    support: 'Still getting emails after 48 hours? Please quote the reference number when you email',
  },
  '/ca-unsubscribe': {
    choice: californiaUnsubscribe,
    title: 'California Specific Unsubscribe',
    button: 'Unsubscribe',
    confirmation: 'Unsubscribe Request Submitted',
    before: /see which further rights your state gives you/,
    after: [/allow up to 48 hours/, /you will receive no more newsletter or promotional emails/],
    support:
      'If you still receive emails after 48 hours, please contact support. Quote the reference number when you email',
  },
  '/privacy-rights-request': {
    choice: privacyRightsRequest,
    title: 'Privacy Rights Request',
    button: 'Submit Request',
    confirmation: 'Request Submitted Successfully',
    before: /within 45 days/,
    after: [/processed within 45 days as required by law/, /confirmation email will follow/],
    support: questions,
  },
  '/profiling-opt-out': {
    choice: profilingOptOut,
    title: 'Profiling Opt-Out',
    button: 'Opt Out of Profiling',
    confirmation: 'Opt-Out Request Submitted',
    before: /continue to receive the newsletter, but it is no longer personalized/,
    after: [/within 15 business days/, /continue to receive the newsletter/, /no longer be personalized/],
    support: questions,
  },
  '/targeted-opt-out': {
    choice: targetedOptOut,
    title: 'Targeted Advertising Opt-Out',
    button: 'Opt Out of Targeted Ads',
    confirmation: 'Opt-Out Request Submitted',
    before: /within 15 business days/,
    after: [
      /within 15 business days/,
      /continue to receive newsletter and promotional emails/,
      /no longer be tailored to your browsing behavior or interests/,
    ],
    support: questions,
  },
  '/limit-sensitive-info': {
    choice: limitSensitiveInformation,
    title: 'Limit Use of Sensitive Information',
    button: 'Submit Request',
    confirmation: 'Request Submitted Successfully',
    before: /within 15 business days/,
    after: [/within 15 business days/, /confirmation email will follow/],
    support: questions,
  },
};

const record = () => provideSiteSettings({ ...defaultSiteSettings, privacyRequests: 'record' });
const show = (choice: Choice) =>
  render(
    <main>
      <ChoicePage choice={choice} />
    </main>,
  );

/** Fills in the required fields of any choice. */
async function fillIn(user: UserEvent) {
  await user.type(email(), ' reader@example.com ');
  const name = screen.queryByRole('textbox', { name: 'Full name' });
  if (name) await user.type(name, 'Ada Reader');
  const [category] = screen.queryAllByRole('checkbox');
  if (category) await user.click(category);
}

afterEach(() => {
  provideSiteSettings(defaultSiteSettings);
  openEntry();
});

for (const { title, choice, ...words } of Object.values(expected).filter(({ choice }) =>
  [unsubscribe, privacyRightsRequest, limitSensitiveInformation].includes(choice),
))
  formSpec(`the form “${title}”`, {
    show() {
      record();
      return show(choice).container;
    },
    fill: fillIn,
    button: words.button,
    busyLabel: 'Processing...',
    invalid: { message: 'Please enter a valid email address', focused: email, described: email },
    success: {
      response: stored,
      focused: () => screen.getByRole('heading', { level: 2, name: words.confirmation }),
      announced: words.confirmation,
    },
    failure: failureMessage,
  });

describe('the remote', () => {
  let user: UserEvent;
  const request = jest.fn<typeof fetch>();
  const sent = () => request.mock.calls.map(([, options]) => JSON.parse(String(options?.body)));
  const submit = async () => {
    await user.click(button());
    await act(() => jest.advanceTimersByTimeAsync(processingDelay));
  };

  beforeEach(() => {
    jest.useFakeTimers();
    user = userEvent.setup({ delay: null });
    jest.spyOn(console, 'log').mockReturnValue();
    request.mockReset().mockImplementation(async () => stored());
    globalThis.fetch = request;
    record();
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  test('has a page for each choice, with the header of the privacy pages', () => {
    expect(remote.routes.map(({ path, title, frame }) => [path, title, frame])).toEqual(
      Object.entries(expected).map(([path, { title }]) => [path, title, 'privacy']),
    );
    expect(Object.values(expected).map(({ choice }) => choice.kind)).toEqual(privacyRequestKinds);
    for (const { description } of remote.routes) expect(description.length).toBeLessThanOrEqual(160);
  });

  test.each(Object.entries(expected))(
    '%s explains its choice, sends the request as in the contract, and confirms it with time and number',
    async (path, { choice, title, support, ...words }) => {
      const Page = (await remote.routes.find((route) => route.path === path)?.page())?.default ?? (() => null);
      const { container } = render(<Page />);
      expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible();
      expect(container).toHaveTextContent(words.before);
      expect(container).toHaveTextContent(/The sure way .*to email support@daybook\.example\./);
      expect(button()).toHaveTextContent(words.button);
      await fillIn(user);
      await submit();
      expect(request.mock.calls).toEqual([
        ['/api/privacy-requests', expect.objectContaining({ method: 'POST', keepalive: true })],
      ]);
      const [body] = sent();
      expect(privacyRequestSchema.parse(body)).toEqual(body);
      expect(body).toMatchObject({ kind: choice.kind, email: 'reader@example.com', pageVersion: RELEASE_NAME });
      expect(screen.getByRole('heading', { level: 2, name: words.confirmation })).toBeVisible();
      expect(screen.getByText(reference)).toBeVisible();
      for (const said of words.after) expect(container).toHaveTextContent(said);
      expect(container).toHaveTextContent(`${support} support@daybook.example.`);
      expect(container).not.toHaveTextContent('The sure way');
    },
  );

  test('a privacy rights request has a name, six types, access first, and optional comments', async () => {
    show(privacyRightsRequest);
    expect(screen.getByRole('textbox', { name: 'Full name' })).toBeRequired();
    expect(screen.getByRole('textbox', { name: 'Additional comments (optional)' })).not.toBeRequired();
    const type = screen.getByRole('combobox', { name: 'Request type' });
    expect(type).toBeRequired();
    expect(type).toHaveDisplayValue('Access My Data');
    const options = within(type).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ value, textContent }) => [value, textContent])).toEqual([
      ['access', 'Access My Data'],
      ['delete', 'Delete My Data'],
      ['correct', 'Correct My Data'],
      ['portability', 'Data Portability'],
      ['restrict', 'Restrict Processing'],
      ['object', 'Object to Processing'],
    ]);
    await fillIn(user);
    await user.selectOptions(type, 'Correct My Data');
    await user.type(screen.getByRole('textbox', { name: /comments/ }), 'One letter{Enter}is wrong.');
    await submit();
    expect(sent()).toMatchObject([
      { fields: { name: 'Ada Reader', requestType: 'correct', comments: 'One letter\nis wrong.' } },
    ]);
  });

  test.each([
    [/Full name/, 200, 'Your name can have at most 200 characters.'],
    [/comments/, 10_000, 'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.'],
  ])('a value of %s with more than %d characters is rejected at the field', async (label, maxLength, message) => {
    show(privacyRightsRequest);
    await fillIn(user);
    const field = screen.getByRole('textbox', { name: label });
    await user.clear(field);
    await user.click(field);
    await user.paste('x'.repeat(maxLength + 1));
    await submit();
    expect(field).toHaveAccessibleDescription(expect.stringContaining(message));
    expect(field).toHaveFocus();
    expect(request).not.toHaveBeenCalled();
    await user.keyboard('{End}{Backspace}');
    await submit();
    expect(request).toHaveBeenCalledTimes(1);
  });

  test('each of six categories of sensitive information can be turned on and off', async () => {
    show(limitSensitiveInformation);
    const boxes = within(screen.getByRole('group', { name: 'Information to limit' })).getAllByRole<HTMLInputElement>(
      'checkbox',
    );
    expect(boxes.map(({ labels }) => labels?.[0]?.textContent)).toEqual([
      'Financial Information',
      'Health Information',
      'Precise Location Data',
      'Demographic Information',
      'Biometric Information',
      'Browsing History',
    ]);
    await user.type(email(), 'reader@example.com');
    for (const box of boxes) {
      expect(box).not.toBeChecked();
      await user.click(box);
    }
    await user.click(screen.getByRole('checkbox', { name: 'Precise Location Data' }));
    await submit();
    expect(sent()).toMatchObject([
      { fields: { categoriesToLimit: ['financial', 'health', 'demographic', 'biometric', 'browsing'] } },
    ]);
  });
});

test.each([
  [
    'the planned profiling excludes offers related to health',
    'profiling-opt-out',
    'the bonus offers you chose, except offers that may hint at your health, and',
  ],
  [
    'the planned profiling is not presented as active',
    'profiling-opt-out',
    'At present we do none: every reader gets the same newsletter.',
  ],
  [
    'sensitive information is left out of any profiling',
    'limit-sensitive-information',
    'draw no conclusion from it about you, and leave it out of any profiling',
  ],
  [
    'California residents are informed of their rights',
    'california-unsubscribe',
    'California Consumer Privacy Act (CCPA), as amended by the California Privacy Rights Act (CPRA)',
  ],
])('%s', (_fact, name, text) => {
  expect(readFileSync(path.join(import.meta.dirname, `../../content/${name}.md`), 'utf8')).toContain(text);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { privacyRightsRequestTypes } from '@daybook/contract/api';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Choice } from '../choice-form/choice.tsx';
import { processingDelay } from '../choice-form/process-request.ts';
import remote from '../remote.ts';
import { accessibilityErrorsOf, button, confirmation, email, openEntry, pass } from '../testing/choice-form.ts';
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
}

/** The texts of docs/product.md (Privacy choices and Constants). */
const expected: Readonly<Record<string, Expected>> = {
  '/unsubscribe': {
    choice: unsubscribe,
    title: 'Unsubscribe',
    button: 'Unsubscribe',
    confirmation: 'Unsubscribe Request Submitted',
    before: /may take up to 48 hours/,
    after: [/allow up to 48 hours/],
  },
  '/ca-unsubscribe': {
    choice: californiaUnsubscribe,
    title: 'California Specific Unsubscribe',
    button: 'Unsubscribe',
    confirmation: 'Unsubscribe Request Submitted',
    before: /see which further rights your state gives you/,
    after: [
      /allow up to 48 hours/,
      /you will receive no more newsletter or promotional emails/,
      /If you still receive emails after 48 hours, please contact support/,
    ],
  },
  '/privacy-rights-request': {
    choice: privacyRightsRequest,
    title: 'Privacy Rights Request',
    button: 'Submit Request',
    confirmation: 'Request Submitted Successfully',
    before: /within 45 days/,
    after: [/processed within 45 days as required by law/, /confirmation email will follow/],
  },
  '/profiling-opt-out': {
    choice: profilingOptOut,
    title: 'Profiling Opt-Out',
    button: 'Opt Out of Profiling',
    confirmation: 'Opt-Out Request Submitted',
    before: /continue to receive the newsletter, but it is no longer personalized/,
    after: [/within 15 business days/, /continue to receive the newsletter/, /no longer be personalized/],
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
  },
  '/limit-sensitive-info': {
    choice: limitSensitiveInformation,
    title: 'Limit Use of Sensitive Information',
    button: 'Submit Request',
    confirmation: 'Request Submitted Successfully',
    before: /within 15 business days/,
    after: [/within 15 business days/, /confirmation email will follow/],
  },
};

/** The form sends nothing: before and after, the page names the reliable alternative. */
const sureWay = /The sure way .*to email support@daybook\.example\./;

let user: ReturnType<typeof userEvent.setup>;
beforeEach(() => {
  jest.useFakeTimers();
  user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  jest.spyOn(window, 'alert').mockReturnValue();
  jest.spyOn(console, 'log').mockReturnValue();
});
afterEach(() => {
  openEntry();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

async function show(path: string) {
  const Page = (await remote.routes.find((route) => route.path === path)?.page())?.default;
  if (!Page) throw new Error(`No page at ${path}`);
  return render(
    <main>
      <Page />
    </main>,
  );
}

async function fillIn() {
  await user.type(email(), 'reader@example.com');
  const name = screen.queryByRole('textbox', { name: 'Full name' });
  if (name) await user.type(name, 'Ada Reader');
  const [category] = screen.queryAllByRole('checkbox');
  if (category) await user.click(category);
}

test('the remote has a page for each choice, with the header of the privacy pages', () => {
  expect(remote.routes.map(({ path, title, frame }) => [path, title, frame])).toEqual(
    Object.entries(expected).map(([path, { title }]) => [path, title, 'privacy']),
  );
  for (const { description } of remote.routes) expect(description.length).toBeLessThanOrEqual(160);
});

describe.each(Object.entries(expected))('%s', (path, { choice, title, ...words }) => {
  test('explains the choice and offers it', async () => {
    const { container } = await show(path);
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(choice.heading).toBe(title);
    expect(container).toHaveTextContent(words.before);
    expect(button()).toHaveTextContent(words.button);
    expect(container).toHaveTextContent(sureWay);
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test('rejects a form without an address', async () => {
    const { container } = await show(path);
    await user.click(button());
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid email address');
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test('processes the request', async () => {
    const { container } = await show(path);
    await fillIn();
    await user.click(button());
    expect(button()).toHaveTextContent('Processing...');
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });

  test('confirms it with the stated processing time', async () => {
    const { container } = await show(path);
    await fillIn();
    await user.click(button());
    await pass(processingDelay);
    expect(confirmation(words.confirmation)).toBeVisible();
    for (const said of words.after) expect(container).toHaveTextContent(said);
    expect(screen.queryByRole('button')).toBeNull();
    expect(container).toHaveTextContent(sureWay);
    expect(await accessibilityErrorsOf(container)).toEqual([]);
  });
});

const background = (name: string) => readFileSync(path.join(import.meta.dirname, `../../content/${name}.md`), 'utf8');

test('the planned profiling excludes offers related to health, and is not presented as active', () => {
  const text = background('profiling-opt-out');
  expect(text).toContain('the bonus offers you chose, except offers that may hint at your health, and');
  expect(text).toContain('At present we do none: every reader gets the same newsletter.');
  expect(background('limit-sensitive-information')).toContain(
    'draw no conclusion from it about you, and leave it out of any profiling',
  );
});

test('California residents are informed of their rights', () => {
  const text = 'California Consumer Privacy Act (CCPA), as amended by the California Privacy Rights Act (CPRA)';
  expect(background('california-unsubscribe')).toContain(text);
});

test('a privacy rights request has six types, access first', async () => {
  await show('/privacy-rights-request');
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
  expect(options.map(({ value }) => value)).toEqual(privacyRightsRequestTypes);
});

test('a privacy rights request requires a name, and accepts comments', async () => {
  await show('/privacy-rights-request');
  expect(screen.getByRole('textbox', { name: 'Full name' })).toBeRequired();
  expect(screen.getByRole('textbox', { name: 'Additional comments (optional)' })).not.toBeRequired();
  await fillIn();
  await user.selectOptions(screen.getByRole('combobox'), 'Correct My Data');
  await user.type(screen.getByRole('textbox', { name: /comments/ }), 'One letter{Enter}is wrong.');
  await user.click(button());
  await pass(processingDelay);
  expect(console.log).toHaveBeenCalledWith(
    expect.stringContaining(
      '{"email":"reader@example.com","name":"Ada Reader","requestType":"correct","comments":"One letter\\nis wrong."}',
    ),
  );
});

test('each of six categories of sensitive information can be turned on and off', async () => {
  await show('/limit-sensitive-info');
  const group = screen.getByRole('group', { name: 'Information to limit' });
  const boxes = within(group).getAllByRole<HTMLInputElement>('checkbox');
  const labels = boxes.map(({ labels }) => labels?.[0]?.textContent);
  expect(labels).toEqual([
    'Financial Information',
    'Health Information',
    'Precise Location Data',
    'Demographic Information',
    'Biometric Information',
    'Browsing History',
  ]);
  for (const box of boxes) expect(box).not.toBeChecked();

  await user.type(email(), 'reader@example.com');
  for (const box of boxes) await user.click(box);
  await user.click(screen.getByRole('checkbox', { name: 'Precise Location Data' }));
  await user.click(button());
  await pass(processingDelay);
  const limited = ['financial', 'health', 'demographic', 'biometric', 'browsing'];
  expect(console.log).toHaveBeenCalledWith(
    expect.stringContaining(JSON.stringify({ email: 'reader@example.com', categoriesToLimit: limited })),
  );
});

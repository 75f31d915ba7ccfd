import { site } from '@daybook/contract/site';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { Button } from './button.tsx';
import { CheckboxGroup } from './checkboxes.tsx';
import { Select, TextArea, TextField } from './fields.tsx';
import { PrivacyHeader, SiteFooter, SiteHeader } from './frame.tsx';
import { showAlert } from './status.tsx';

const user = userEvent.setup({ delay: null });
const button = () => screen.getByRole('button');

afterEach(() => void jest.restoreAllMocks());

const options = [
  { value: 'health', label: 'Health Information', description: 'Treatments and diagnoses' },
  { value: 'location', label: 'Precise Location Data' },
];
const notes = { hint: 'One or more', error: 'Please choose' };
const checkboxes = (shown: Partial<typeof notes>) => (
  <CheckboxGroup {...shown} id="type" name="type" legend="Request type" options={options} />
);

test('a busy button shows its busy label, keeps the focus, and ignores presses and Enter', async () => {
  const press = jest.fn();
  const submit = jest.fn<(event: { preventDefault(): void }) => void>((event) => event.preventDefault());
  const form = (busy: boolean, busyLabel?: string) => (
    <form onSubmit={submit}>
      <input aria-label="Email" />
      <Button type="submit" busy={busy} busyLabel={busyLabel} onClick={press}>
        Send
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  await user.click(button());
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  rerender(form(true, 'Sending...'));
  expect(screen.getByRole('button', { name: 'Sending...' })).toHaveFocus();
  expect(button()).toHaveAttribute('aria-disabled', 'true');
  // A disabled button would lose the focus in browsers.
  expect(button()).toBeEnabled();
  expect(button().querySelector('.ring')).toBeInTheDocument();
  await user.click(button());
  await user.type(screen.getByRole('textbox'), 'a{Enter}');
  expect([press.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1]);
  rerender(form(true));
  expect(button()).toHaveAccessibleName('Send');
});

describe('a field', () => {
  test.each<[string, (shown: Partial<typeof notes>) => ReactElement]>([
    ['textbox', (shown) => <TextField {...shown} id="type" label="Request type" />],
    ['textbox', (shown) => <TextArea {...shown} id="type" label="Request type" />],
    ['combobox', (shown) => <Select {...shown} id="type" label="Request type" options={options} />],
    ['group', checkboxes],
  ])('with the role %s shows and announces its notes, and is valid without any', (role, fieldWith) => {
    const { rerender } = render(fieldWith(notes));
    const control = screen.getByRole(role, { name: 'Request type' });
    expect(screen.getByRole('alert')).toHaveTextContent('Please choose');
    expect(control).toHaveAccessibleDescription('One or more Please choose');
    if (role !== 'group') expect(control).toBeInvalid();
    rerender(fieldWith({}));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(control).not.toHaveAttribute('aria-describedby');
    expect(control).toBeValid();
  });

  test('of checkboxes describes each, and keeps the order of the options', async () => {
    const { container } = render(<form>{checkboxes({})}</form>);
    await user.click(screen.getByText('Precise Location Data'));
    await user.click(screen.getByText('Health Information'));
    const form = new FormData(container.querySelector('form') ?? undefined);
    expect(form.getAll('type')).toEqual(['health', 'location']);
    const [health] = screen.getAllByRole('checkbox');
    expect(health).toHaveAccessibleDescription('Treatments and diagnoses');
  });
});

test.each([
  ['the site', <SiteHeader key="site" />, ['/ Daybook, home']],
  ['the privacy pages', <PrivacyHeader key="privacy" />, ['/ Daybook, home', '/ Back to Home']],
])('the header of %s has only links home', (_what, header, links) => {
  render(header);
  const shown = screen.getAllByRole('link');
  expect(
    shown.map((link) => `${link.getAttribute('href')} ${link.getAttribute('aria-label') ?? link.textContent}`),
  ).toEqual(links);
});

test('the footer names the publisher and links to all pages', () => {
  render(<SiteFooter supportAddress="help@example.com" />);
  expect(screen.getByRole('contentinfo')).toHaveTextContent(`© ${site.publisher}`);
  const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  const required =
    '/ /#features /unsubscribe /terms /privacy-policy /cookie-policy /e-consent /california-privacy-notice ' +
    '/ca-unsubscribe /privacy-rights-request /profiling-opt-out /targeted-opt-out /limit-sensitive-info ' +
    '/accessible-view mailto:help@example.com';
  expect(addresses.toSorted()).toEqual(required.split(' ').toSorted());
});

test('an alert is not necessary', () => {
  jest.spyOn(window, 'alert').mockImplementation(() => {
    throw new Error('Dialogs are not supported.');
  });
  expect(() => showAlert('This is a demo.')).not.toThrow();
});

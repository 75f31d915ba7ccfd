import { site } from '@daybook/contract/site';
import { describe, expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { CheckboxGroup } from './checkboxes.tsx';
import { Select, TextArea, TextField } from './fields.tsx';
import { SiteFooter } from './frame.tsx';

const options = [
  { value: 'health', label: 'Health Information', description: 'Treatments and diagnoses' },
  { value: 'location', label: 'Precise Location Data' },
];
const notes = { hint: 'One or more', error: 'Please choose' };
const checkboxes = (shown: Partial<typeof notes>) => (
  <CheckboxGroup {...shown} id="type" name="type" legend="Request type" options={options} />
);

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

  test('of checkboxes describes each', () => {
    render(checkboxes({}));
    expect(screen.getAllByRole('checkbox')[0]).toHaveAccessibleDescription('Treatments and diagnoses');
  });
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

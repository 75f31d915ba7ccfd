import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { Select, type SelectProps } from './select.tsx';

const options = [
  { value: 'access', label: 'Access My Data' },
  { value: 'delete', label: 'Delete My Data' },
];

function Field(properties: Partial<SelectProps>) {
  const [value, setValue] = useState('access');
  return (
    <Select id="type" name="type" label="Request type" {...properties} {...{ options, value }} onChange={setValue} />
  );
}

const field = () => screen.getByRole('combobox', { name: 'Request type' });

test('shows its value and takes another', async () => {
  const { container } = render(<Field required />);
  expect(field()).toHaveDisplayValue('Access My Data');
  expect(field()).toBeRequired();
  expect(field()).not.toHaveAttribute('aria-describedby');
  await userEvent.selectOptions(field(), 'Delete My Data');
  expect(field()).toHaveValue('delete');
  expect((await axe(container)).violations).toEqual([]);
});

test('says what to choose and what is wrong beside the field', async () => {
  const { container } = render(<Field hint="One request at a time" error="Please choose a request type" />);
  expect(screen.getByRole('alert')).toHaveTextContent('Please choose a request type');
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription('One request at a time Please choose a request type');
  expect((await axe(container)).violations).toEqual([]);
});

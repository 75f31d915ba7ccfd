import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { CheckboxGroup, type CheckboxGroupProps, checkboxIdOf } from './checkbox-group.tsx';

const options = [
  { value: 'health', label: 'Health Information', description: 'Treatments and diagnoses' },
  { value: 'location', label: 'Precise Location Data' },
];

let chosen: readonly string[];

function Group(properties: Partial<CheckboxGroupProps>) {
  const [values, setValues] = useState<readonly string[]>([]);
  chosen = values;
  return (
    <CheckboxGroup
      id="limit"
      name="limit"
      legend="What to limit"
      {...properties}
      {...{ options, values }}
      onChange={setValues}
    />
  );
}

const box = (name: string) => screen.getByRole('checkbox', { name });

test('turns each option on and off by itself, and keeps the order of the options', async () => {
  const { container } = render(<Group />);
  await userEvent.click(box('Precise Location Data'));
  await userEvent.click(box('Health Information'));
  expect(chosen).toEqual(['health', 'location']);
  await userEvent.click(box('Precise Location Data'));
  expect(chosen).toEqual(['health']);
  expect(box('Health Information')).toBeChecked();
  expect(box('Precise Location Data')).not.toBeChecked();
  expect(box('Health Information')).toHaveAccessibleDescription('Treatments and diagnoses');
  expect((await axe(container)).violations).toEqual([]);
});

test('asks one question of all of them, and says there what is wrong', async () => {
  const { container } = render(<Group hint="One or more" error="Please select at least one" />);
  const group = screen.getByRole('group', { name: 'What to limit' });
  expect(group).toHaveAccessibleDescription('One or more Please select at least one');
  expect(screen.getByRole('alert')).toHaveTextContent('Please select at least one');
  expect((await axe(container)).violations).toEqual([]);
});

test('its checkboxes can be found by their ids', () => {
  render(<Group />);
  document.getElementById(checkboxIdOf('limit', 'location'))?.focus();
  expect(box('Precise Location Data')).toHaveFocus();
});

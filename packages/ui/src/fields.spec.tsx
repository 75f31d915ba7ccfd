import { describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import type { ComponentProps } from 'react';
import { Checkbox, CheckboxGroup } from './checkboxes.tsx';
import { Select, TextArea, TextField } from './fields.tsx';

function EmailField(properties: Partial<ComponentProps<typeof TextField>>) {
  return <TextField {...properties} id="email" name="email" label="Email address" />;
}

function CommentsField(properties: Partial<ComponentProps<typeof TextArea>>) {
  return <TextArea {...properties} id="comments" name="comments" label="Comments" />;
}

const requestTypes = [
  { value: 'access', label: 'Access My Data' },
  { value: 'delete', label: 'Delete My Data' },
];

function RequestTypeField(properties: Partial<ComponentProps<typeof Select>>) {
  return <Select {...properties} id="type" name="type" label="Request type" options={requestTypes} />;
}

const categories = [
  { value: 'health', label: 'Health Information', description: 'Treatments and diagnoses' },
  { value: 'location', label: 'Precise Location Data' },
];

function Group(properties: Partial<ComponentProps<typeof CheckboxGroup>>) {
  return (
    <form>
      <CheckboxGroup {...properties} id="limit" name="limit" legend="What to limit" options={categories} />
    </form>
  );
}

describe('TextField', () => {
  const field = () => screen.getByRole('textbox', { name: 'Email address' });

  test('accepts typed text', async () => {
    render(<EmailField type="email" autoComplete="email" required />);
    await userEvent.type(field(), 'ada@example.com');
    expect(field()).toHaveValue('ada@example.com');
    expect(field()).toBeRequired();
    expect(field()).toHaveAttribute('autocomplete', 'email');
    expect(field()).toBeValid();
    expect(field()).not.toHaveAttribute('aria-describedby');
  });

  test('shows and announces its error message', async () => {
    const { container, rerender } = render(<EmailField hint="Like name@example.com" />);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(field()).toHaveAccessibleDescription('Like name@example.com');

    rerender(<EmailField hint="Like name@example.com" error="Please enter a valid email address." />);
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid email address.');
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription('Like name@example.com Please enter a valid email address.');
    expect((await axe(container)).violations).toEqual([]);
  });

  test('provides its input for moving the focus', () => {
    const input = { current: null as HTMLInputElement | null };
    render(<EmailField ref={input} />);
    input.current?.focus();
    expect(field()).toHaveFocus();
  });
});

describe('TextArea', () => {
  const field = () => screen.getByRole('textbox', { name: 'Comments' });

  test('accepts several lines', async () => {
    const { container } = render(<CommentsField />);
    await userEvent.type(field(), 'First line{Enter}second line');
    expect(field()).toHaveValue('First line\nsecond line');
    expect(field()).not.toBeRequired();
    expect(field()).not.toHaveAttribute('aria-describedby');
    expect((await axe(container)).violations).toEqual([]);
  });

  test('shows its hint and its error message', async () => {
    const { container } = render(<CommentsField required hint="What should change?" error="Please write a comment" />);
    expect(field()).toBeRequired();
    expect(screen.getByRole('alert')).toHaveTextContent('Please write a comment');
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription('What should change? Please write a comment');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('Select', () => {
  const field = () => screen.getByRole('combobox', { name: 'Request type' });

  test('shows its value and accepts another', async () => {
    const { container } = render(<RequestTypeField required />);
    expect(field()).toHaveDisplayValue('Access My Data');
    expect(field()).toBeRequired();
    expect(field()).not.toHaveAttribute('aria-describedby');
    await userEvent.selectOptions(field(), 'Delete My Data');
    expect(field()).toHaveValue('delete');
    expect((await axe(container)).violations).toEqual([]);
  });

  test('shows its hint and its error message', async () => {
    const { container } = render(
      <RequestTypeField hint="One request at a time" error="Please choose a request type" />,
    );
    expect(screen.getByRole('alert')).toHaveTextContent('Please choose a request type');
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription('One request at a time Please choose a request type');
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('Checkbox', () => {
  const common = { id: 'health', name: 'categories', label: 'Health Information' };

  test('changes when its label is pressed', async () => {
    const change = jest.fn();
    render(<Checkbox {...common} onChange={change} />);
    await userEvent.click(screen.getByText('Health Information'));
    expect(screen.getByRole('checkbox', { name: 'Health Information' })).toBeChecked();
    expect(change).toHaveBeenCalledTimes(1);
    await userEvent.click(screen.getByRole('checkbox'));
    expect(screen.getByRole('checkbox')).not.toBeChecked();
  });

  test('announces its description after its label', async () => {
    const { container } = render(<Checkbox {...common} description="Treatments and diagnoses" />);
    expect(screen.getByRole('checkbox', { name: 'Health Information' })).toHaveAccessibleDescription(
      'Treatments and diagnoses',
    );
    expect((await axe(container)).violations).toEqual([]);
  });
});

describe('CheckboxGroup', () => {
  const box = (name: string) => screen.getByRole('checkbox', { name });

  test('turns each option on and off, and preserves the order of the options', async () => {
    const { container } = render(<Group />);
    const chosen = () => new FormData(container.querySelector('form') ?? undefined).getAll('limit');
    await userEvent.click(box('Precise Location Data'));
    await userEvent.click(box('Health Information'));
    expect(chosen()).toEqual(['health', 'location']);
    await userEvent.click(box('Precise Location Data'));
    expect(chosen()).toEqual(['health']);
    expect(box('Health Information')).toBeChecked();
    expect(box('Precise Location Data')).not.toBeChecked();
    expect(box('Health Information')).toHaveAccessibleDescription('Treatments and diagnoses');
    expect((await axe(container)).violations).toEqual([]);
  });

  test('has one question for all of them, with the error message', async () => {
    const { container } = render(<Group hint="One or more" error="Please select at least one" />);
    const group = screen.getByRole('group', { name: 'What to limit' });
    expect(group).toHaveAccessibleDescription('One or more Please select at least one');
    expect(screen.getByRole('alert')).toHaveTextContent('Please select at least one');
    expect((await axe(container)).violations).toEqual([]);
  });
});

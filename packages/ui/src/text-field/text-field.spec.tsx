import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';

function Field(properties: Partial<TextFieldProps>) {
  const [value, setValue] = useState('');
  return <TextField id="email" name="email" label="Email address" value={value} onChange={setValue} {...properties} />;
}

const field = () => screen.getByRole('textbox', { name: 'Email address' });

test('takes what is typed into it', async () => {
  render(<Field type="email" autoComplete="email" required />);
  await userEvent.type(field(), 'ada@example.com');
  expect(field()).toHaveValue('ada@example.com');
  expect(field()).toBeRequired();
  expect(field()).toHaveAttribute('autocomplete', 'email');
  expect(field()).toBeValid();
  expect(field()).not.toHaveAttribute('aria-describedby');
});

test('says what is wrong beside the field and announces it', async () => {
  const { container, rerender } = render(<Field hint="Like name@example.com" />);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(field()).toHaveAccessibleDescription('Like name@example.com');

  rerender(<Field hint="Like name@example.com" error="Please enter a valid email address." />);
  expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid email address.');
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription('Like name@example.com Please enter a valid email address.');
  expect((await axe(container)).violations).toEqual([]);
});

test('hands its input to whoever moves the focus', () => {
  const input = { current: null as HTMLInputElement | null };
  render(<Field inputRef={input} />);
  input.current?.focus();
  expect(field()).toHaveFocus();
});

import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { axe } from 'jest-axe';
import { useState } from 'react';
import { TextArea, type TextAreaProps } from './text-area.tsx';

function Field(properties: Partial<TextAreaProps>) {
  const [value, setValue] = useState('');
  return <TextArea id="comments" name="comments" label="Comments" {...properties} value={value} onChange={setValue} />;
}

const field = () => screen.getByRole('textbox', { name: 'Comments' });

test('takes several lines', async () => {
  const { container } = render(<Field />);
  await userEvent.type(field(), 'First line{Enter}second line');
  expect(field()).toHaveValue('First line\nsecond line');
  expect(field()).not.toBeRequired();
  expect(field()).not.toHaveAttribute('aria-describedby');
  expect((await axe(container)).violations).toEqual([]);
});

test('says what to write and what is wrong beside the field', async () => {
  const { container } = render(<Field required hint="What should change?" error="Please write a comment" />);
  expect(field()).toBeRequired();
  expect(screen.getByRole('alert')).toHaveTextContent('Please write a comment');
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription('What should change? Please write a comment');
  expect((await axe(container)).violations).toEqual([]);
});

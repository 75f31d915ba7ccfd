import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { controlAttributes, FieldFrame } from './field-frame.tsx';
import type { FieldNotes } from './field-notes.tsx';

function Year(notes: Omit<FieldNotes, 'id'>) {
  const field = { id: 'year', ...notes };
  return (
    <FieldFrame {...field} label="Year">
      <input {...controlAttributes(field)} />
    </FieldFrame>
  );
}

test('a control has its label, and is valid without notes', async () => {
  const { container } = render(<Year />);
  const control = screen.getByRole('textbox', { name: 'Year' });
  expect(control).toBeValid();
  expect(control).not.toHaveAttribute('aria-describedby');
  expect((await axe(container)).violations).toEqual([]);
});

test('label and hint stand above the control, what is wrong below it', async () => {
  const { container } = render(<Year hint="Four digits" error="Please enter a year" />);
  const control = screen.getByRole('textbox', { name: 'Year' });
  expect(control).toBeInvalid();
  expect(control).toHaveAccessibleDescription('Four digits Please enter a year');
  const inOrder = [...(control.parentElement?.children ?? [])];
  expect(inOrder.map(({ localName, textContent }) => textContent || localName)).toEqual([
    'Year',
    'Four digits',
    'input',
    'Please enter a year',
  ]);
  expect((await axe(container)).violations).toEqual([]);
});

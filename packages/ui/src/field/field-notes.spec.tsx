import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { describedBy, FieldError, FieldHint, type FieldNotes } from './field-notes.tsx';

function Field(notes: Omit<FieldNotes, 'id'>) {
  return (
    <>
      <input id="year" aria-label="Year" aria-describedby={describedBy({ id: 'year', ...notes })} />
      <FieldHint id="year" hint={notes.hint} />
      <FieldError id="year" error={notes.error} />
    </>
  );
}

const field = () => screen.getByRole('textbox');

test('a field is described by the notes that it shows, and by nothing where it shows none', async () => {
  const { container, rerender } = render(<Field />);
  expect(field()).not.toHaveAttribute('aria-describedby');
  expect(screen.queryByRole('alert')).toBeNull();

  rerender(<Field error="Please enter a year" />);
  expect(field()).toHaveAccessibleDescription('Please enter a year');

  rerender(<Field hint="Four digits" error="Please enter a year" />);
  expect(field()).toHaveAccessibleDescription('Four digits Please enter a year');
  expect(screen.getByRole('alert')).toHaveTextContent('Please enter a year');
  expect((await axe(container)).violations).toEqual([]);
});

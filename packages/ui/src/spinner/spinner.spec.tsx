import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Spinner } from './spinner.tsx';

test('says what is awaited', async () => {
  const { container } = render(<Spinner label="Loading your offers..." />);
  expect(screen.getByRole('status')).toHaveTextContent('Loading your offers...');
  expect((await axe(container)).violations).toEqual([]);
});

test('without a label it is decoration', () => {
  const { container } = render(<Spinner />);
  expect(screen.queryByRole('status')).toBeNull();
  expect(container.firstChild).toHaveAttribute('aria-hidden', 'true');
});

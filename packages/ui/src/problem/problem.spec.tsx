import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Problem } from './problem.tsx';

test('is announced', async () => {
  const { container } = render(<Problem>Something went wrong. Please try again.</Problem>);
  expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong. Please try again.');
  expect((await axe(container)).violations).toEqual([]);
});

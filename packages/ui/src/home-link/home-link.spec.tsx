import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { HomeLink } from './home-link.tsx';

test('the logo leads home, and says so', async () => {
  const { container } = render(<HomeLink />);
  expect(screen.getByRole('link', { name: 'Daybook, home' })).toHaveAttribute('href', '/');
  expect((await axe(container)).violations).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { PrivacyHeader } from './privacy-header.tsx';

test('leads back home by its logo and by a link', async () => {
  const { container } = render(<PrivacyHeader />);
  expect(screen.getByRole('link', { name: 'Daybook, home' })).toHaveAttribute('href', '/');
  expect(screen.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  expect((await axe(container)).violations).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { PageHeading } from './page-heading.tsx';

test('is the h1, and takes the focus that the shell gives it after a navigation', async () => {
  const { container } = render(<PageHeading lead="Allow up to 48 hours.">Unsubscribe</PageHeading>);
  const heading = screen.getByRole('heading', { level: 1, name: 'Unsubscribe' });
  heading.focus();
  expect(heading).toHaveFocus();
  expect(screen.getByText('Allow up to 48 hours.')).toBeInTheDocument();
  expect((await axe(container)).violations).toEqual([]);
});

test('stands alone without a lead', () => {
  const { container } = render(<PageHeading>Unsubscribe</PageHeading>);
  expect(container.querySelector('p')).toBeNull();
});

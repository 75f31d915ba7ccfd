import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { SiteHeader } from './site-header.tsx';

test('shows the logo, and nothing else to choose from', async () => {
  const { container } = render(<SiteHeader />);
  expect(screen.getByRole('banner')).toContainElement(screen.getByRole('link', { name: 'Daybook, home' }));
  expect(screen.getAllByRole('link')).toHaveLength(1);
  expect((await axe(container)).violations).toEqual([]);
});

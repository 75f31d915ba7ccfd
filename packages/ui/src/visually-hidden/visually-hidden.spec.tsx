import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { VisuallyHidden } from './visually-hidden.tsx';

test('its text belongs to the name of what it stands in', async () => {
  const { container } = render(
    <a href="/terms">
      Terms <VisuallyHidden>of Service</VisuallyHidden>
    </a>,
  );
  expect(screen.getByRole('link', { name: 'Terms of Service' })).toBeInTheDocument();
  expect((await axe(container)).violations).toEqual([]);
});

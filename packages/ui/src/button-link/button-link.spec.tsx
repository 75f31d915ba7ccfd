import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { ButtonLink } from './button-link.tsx';

test('is a link to its address, whatever it looks like', async () => {
  const { container } = render(
    <ButtonLink href="/" variant="secondary">
      Return to Home
    </ButtonLink>,
  );
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  expect((await axe(container)).violations).toEqual([]);
});

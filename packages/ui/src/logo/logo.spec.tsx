import { site } from '@daybook/contract';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Logo } from './logo.tsx';

test('is a picture with the name of the publication', async () => {
  const { container } = render(<Logo />);
  expect(screen.getByRole('img', { name: site.name })).toBeInTheDocument();
  expect((await axe(container)).violations).toEqual([]);
});

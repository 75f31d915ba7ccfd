import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Cover } from './cover.tsx';

test('marks the surface whose colours its content takes', async () => {
  const { container } = render(
    <Cover aria-label="Subscribe">
      <p>Tomorrow’s page is still blank.</p>
    </Cover>,
  );
  expect(screen.getByRole('region', { name: 'Subscribe' })).toHaveAttribute('data-surface', 'cover');
  expect((await axe(container)).violations).toEqual([]);
});

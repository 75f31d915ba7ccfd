import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Container } from './container.tsx';

test.each(['narrow', 'regular', 'wide'] as const)('holds its content at width %s', async (width) => {
  const { container } = render(
    <Container width={width} className="page">
      Content
    </Container>,
  );
  expect(screen.getByText('Content')).toHaveClass(width, 'page');
  expect((await axe(container)).violations).toEqual([]);
});

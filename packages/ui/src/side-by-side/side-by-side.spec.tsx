import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { SideBySide } from './side-by-side.tsx';

test('holds its columns in the order in which they are read', async () => {
  const { container } = render(
    <SideBySide align="start">
      <p>First</p>
      <p>Second</p>
    </SideBySide>,
  );
  expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual(['First', 'Second']);
  expect(container.firstElementChild).toHaveClass('columns', 'start');
  expect((await axe(container)).violations).toEqual([]);
});

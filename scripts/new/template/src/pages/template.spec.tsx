import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import Page from './template.tsx';

test('/template shows its heading and has no accessibility problems', async () => {
  const { container } = render(
    <main>
      <Page />
    </main>,
  );
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Template');
  expect((await axe(container)).violations).toEqual([]);
});

import { accessibilityViolations } from '@daybook/testing/axe';
import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import Page from './template.tsx';

test('/template shows its heading and has no accessibility problems', async () => {
  const { container } = render(
    <main>
      <Page />
    </main>,
  );
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Template');
  expect(await accessibilityViolations(container)).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Panel } from './panel.tsx';

test.each(['plain', 'success', 'notice'] as const)('holds its content as a named region, in tone %s', async (tone) => {
  const { container } = render(
    <Panel tone={tone} aria-labelledby="heading">
      <h2 id="heading">Request Submitted</h2>
      <p>Allow up to 48 hours.</p>
    </Panel>,
  );
  expect(screen.getByRole('region', { name: 'Request Submitted' })).toHaveTextContent('Allow up to 48 hours.');
  expect((await axe(container)).violations).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Steps } from './steps.tsx';

const steps = [
  { title: 'Wear it', text: 'Around the neck.' },
  { title: 'Press it', text: 'There is no number to dial.' },
];

test.each(['above', 'beside'] as const)('steps are a list in their order, numbers %s', async (numbers) => {
  const { container } = render(
    <section aria-label="How it works">
      <h2>How it works</h2>
      <Steps steps={steps} numbers={numbers} />
    </section>,
  );
  const items = screen.getAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(steps.map(({ title, text }) => title + text));
  expect(within(items[0] as HTMLElement).getByRole('heading', { level: 3, name: 'Wear it' })).toBeVisible();
  expect((await axe(container)).violations).toEqual([]);
});

import { accessibilityViolations } from '@daybook/testing/axe';
import { expect, jest, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import HomePage from './home.tsx';

test('the home page has its sections and two signup buttons, and is accessible', async () => {
  // The form, which is prefetched after a second, never is.
  jest.useFakeTimers();
  const { container } = render(
    <main>
      <HomePage />
    </main>,
  );
  const region = (name: string) => within(screen.getByRole('region', { name }));
  const headingsIn = (name: string) =>
    region(name)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent)
      .join(', ');
  expect(screen.getAllByText(/^(Read in five minutes|In plain English|Free, every morning)\.$/)).toHaveLength(3);
  expect(screen.getAllByRole('button', { name: 'Subscribe for free' })).toHaveLength(2);
  const titles = region('On our editors’ desks each morning');
  expect(titles.getAllByRole('img')).toHaveLength(4);
  expect(titles.getByText(/made up, and they don’t sponsor or endorse us/)).toBeInTheDocument();
  expect(headingsIn('What you get in five minutes')).toBe(
    'Hidden opportunities, Rapid analysis, Portfolio wisdom, Risk management',
  );
  expect(headingsIn('Questions, answered plainly')).toBe(
    'What is the Daybook newsletter?, Is it really free?, Do I need to know about finance?, How much money can I make?',
  );
  for (const claim of ['we don’t promise any gains', 'more than 10,000 readers'])
    expect(container).toHaveTextContent(claim);
  jest.useRealTimers();
  expect(await accessibilityViolations(container)).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import HomePage from './home-page.tsx';

const page = (
  <main>
    <HomePage />
  </main>
);

test('the home page presents the newsletter in three benefits and four cards', () => {
  render(page);
  expect(screen.getByRole('heading', { level: 1 })).toBeInTheDocument();
  expect(screen.getAllByText(/^(Read in five minutes|In plain words|Free, every morning)\.$/)).toHaveLength(3);
  const cards = within(screen.getByRole('region', { name: 'What five minutes are good for' }));
  expect(cards.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'Hidden opportunities',
    'Rapid analysis',
    'Portfolio wisdom',
    'Risk management',
  ]);
  expect(document.querySelector('#features')).toContainElement(cards.getByText('Hidden opportunities'));
});

test('the home page shows four titles and disclaims their endorsement', () => {
  render(page);
  const strip = within(screen.getByRole('region', { name: 'On our editors’ desks each morning' }));
  expect(strip.getAllByRole('img')).toHaveLength(4);
  expect(strip.getByText(/neither sponsor nor endorse/)).toBeInTheDocument();
});

test('the home page answers the four questions, and promises no gain', () => {
  render(page);
  const section = screen.getByRole('region', { name: 'Questions, answered plainly' });
  expect(
    within(section)
      .getAllByRole('heading', { level: 3 })
      .map((heading) => heading.textContent),
  ).toEqual([
    'What is the Daybook newsletter?',
    'Is it really free?',
    'Do I need to know about finance?',
    'How much money can I make?',
  ]);
  expect(section).toHaveTextContent('we promise no gain');
});

test('the home page has two signup buttons', () => {
  render(page);
  expect(screen.getAllByRole('button', { name: 'Subscribe for free' })).toHaveLength(2);
});

test('the home page claims more than 10,000 readers', () => {
  render(page);
  expect(screen.getByRole('main')).toHaveTextContent('more than 10,000 readers');
});

test('the reading times of the sample issue add up to five minutes', () => {
  render(page);
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  const seconds = (row: HTMLElement) => {
    const [, minutes, rest] = /(\d):(\d\d)$/.exec(row.textContent ?? '') ?? [];
    return Number(minutes) * 60 + Number(rest);
  };
  expect(rows.slice(1, -1).reduce((sum, row) => sum + seconds(row), 0)).toBe(300);
  expect(rows.at(-1)).toHaveTextContent('Time to read it all5:00');
  expect(screen.getByText('Sample issue. Its figures are made up.')).toBeInTheDocument();
});

test('the home page is accessible', async () => {
  const { container } = render(page);
  expect((await axe(container)).violations).toEqual([]);
});

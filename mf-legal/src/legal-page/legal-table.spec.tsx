import { expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { axe } from 'jest-axe';
import { LegalTable } from './legal-table.tsx';

const show = () =>
  render(
    <LegalTable>
      <thead>
        <tr>
          <th>Name</th>
          <th>How long</th>
        </tr>
      </thead>
      {'\n'}
      <tbody>
        <tr>
          <td>
            <code>waitlist</code>
          </td>
          <td>
            30 days, see <a href="/privacy-policy">the policy</a>
          </td>
        </tr>
        <tr>
          <td>userEmail</td>
          <td>Until you clear it</td>
        </tr>
      </tbody>
    </LegalTable>,
  );

test('is a table with headings for columns and rows', async () => {
  const { container } = show();
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['Name', 'How long']);
  expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['waitlist', 'userEmail']);
  expect((await axe(container)).violations).toEqual([]);
});

test('names the column in each cell, for screens without room for columns', () => {
  show();
  const cells = screen.getAllByRole('cell');
  expect(cells.map((cell) => cell.textContent)).toEqual([
    'How long: 30 days, see the policy',
    'How long: Until you clear it',
  ]);
});

test('keeps what a cell is made of', () => {
  show();
  const [row] = screen.getAllByRole('row').slice(1);
  expect(within(row as HTMLElement).getByRole('link', { name: 'the policy' })).toHaveAttribute(
    'href',
    '/privacy-policy',
  );
});

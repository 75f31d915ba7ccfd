import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Prose } from './prose.tsx';

test('Prose preserves the semantics of headings, lists and tables', async () => {
  const { container } = render(
    <Prose>
      <h2>What we keep</h2>
      <ul>
        <li>Your address</li>
      </ul>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Address</td>
          </tr>
        </tbody>
      </table>
    </Prose>,
  );
  expect(screen.getByRole('heading', { level: 2, name: 'What we keep' })).toBeInTheDocument();
  expect(screen.getByRole('listitem')).toHaveTextContent('Your address');
  expect(screen.getByRole('columnheader', { name: 'What' })).toBeInTheDocument();
  expect((await axe(container)).violations).toEqual([]);
});

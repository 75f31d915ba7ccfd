import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { Introduction } from './introduction.tsx';

test('says what the page is before its picture, under a heading that takes the focus of a navigation', async () => {
  const { container } = render(
    <Introduction
      label={<p>Sponsored</p>}
      heading="Pay less at the dentist"
      lead="A membership, not insurance."
      picture={<img src="data:," alt="A tooth" />}
    >
      <p>Plans from $9.95 a month</p>
    </Introduction>,
  );
  const heading = screen.getByRole('heading', { level: 1, name: 'Pay less at the dentist' });
  expect(heading).toHaveAttribute('tabindex', '-1');
  expect(screen.getAllByRole('paragraph').map(({ textContent }) => textContent)).toEqual([
    'Sponsored',
    'A membership, not insurance.',
    'Plans from $9.95 a month',
  ]);
  const picture = screen.getByRole('img', { name: 'A tooth' });
  expect(heading.compareDocumentPosition(picture)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect((await axe(container)).violations).toEqual([]);
});

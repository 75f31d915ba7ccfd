import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { axe } from 'jest-axe';
import { LabelledHeading } from './labelled-heading.tsx';

test.each(['regular', 'small'] as const)('the label is read before the heading, at size %s', async (size) => {
  const { container } = render(
    <section aria-labelledby="offers">
      <LabelledHeading id="offers" label="Sponsored" size={size}>
        Your bonus offers
      </LabelledHeading>
    </section>,
  );
  expect(screen.getByRole('region', { name: 'Your bonus offers' })).toHaveTextContent(
    /^Sponsored\s*Your bonus offers$/,
  );
  expect((await axe(container)).violations).toEqual([]);
});

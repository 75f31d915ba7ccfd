import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { axe } from 'jest-axe';
import { NeedsScript } from './needs-script.tsx';

test('shows nothing to who has JavaScript', async () => {
  const { container } = render(<NeedsScript>Subscribing needs JavaScript.</NeedsScript>);
  expect(container).toHaveTextContent('');
  expect((await axe(container)).violations).toEqual([]);
});

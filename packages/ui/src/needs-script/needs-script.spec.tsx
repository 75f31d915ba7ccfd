import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { axe } from 'jest-axe';
import { renderToString } from 'react-dom/server';
import { NeedsScript } from './needs-script.tsx';

const note = <NeedsScript>Subscribing needs JavaScript.</NeedsScript>;

test('is in the HTML of a page for who has no JavaScript', () => {
  expect(renderToString(note)).toMatch(/^<noscript><p[^>]*>Subscribing needs JavaScript\.<\/p><\/noscript>$/);
});

test('shows nothing to anybody else', async () => {
  const { container } = render(note);
  expect(container).toHaveTextContent('');
  expect((await axe(container)).violations).toEqual([]);
});

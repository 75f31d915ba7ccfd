/** @jest-environment node */
import { expect, test } from '@jest/globals';
import { renderToString } from 'react-dom/server';
import HomePage from './home-page.tsx';

test('renders without a browser, with no inline style and no generated id', () => {
  const markup = renderToString(<HomePage />);
  expect(markup).toContain('more than 10,000 readers');
  expect(markup).not.toMatch(/ style=| id="[_:]/);
});

/** @jest-environment node */
import { expect, test } from '@jest/globals';
import { renderToString } from 'react-dom/server';
import AccessibleView from './accessible-view.tsx';

test('is prerendered without the year, which may change before the page is read', () => {
  expect(renderToString(<AccessibleView />)).not.toMatch(/\b20\d\d\b/);
});

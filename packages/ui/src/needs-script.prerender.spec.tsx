/** @jest-environment node */
import { expect, test } from '@jest/globals';
import { renderToString } from 'react-dom/server';
import { NeedsScript } from './status.tsx';

test('NeedsScript is in the HTML of a page for visitors without JavaScript', () => {
  expect(renderToString(<NeedsScript>Subscribing needs JavaScript.</NeedsScript>)).toMatch(
    /^<noscript><p[^>]*>Subscribing needs JavaScript\.<\/p><\/noscript>$/,
  );
});

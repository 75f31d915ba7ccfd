/** @jest-environment node */
import { defaultSiteSettings } from '@daybook/contract';
import { provideSiteSettings } from '@daybook/platform/host';
import { expect, test } from '@jest/globals';
import { renderToString } from 'react-dom/server';
import { AccessibleView } from './accessible-view.tsx';

test('renders without a browser: no inline style, no generated id, and no year that may be over when it is read', () => {
  provideSiteSettings(defaultSiteSettings);
  const markup = renderToString(<AccessibleView />);
  expect(markup).toContain('Accessible View');
  expect(markup).not.toMatch(/ style=| id="[_:]|\b20\d\d\b/);
});

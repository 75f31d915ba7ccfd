/** @jest-environment node */
import { fragmentSettings } from '@daybook/contract/page';
import { neutralPage } from '@daybook/platform/prerender';
import { expect, test } from '@jest/globals';
import { renderToString } from 'react-dom/server';
import AccessibleView from './accessible-view.tsx';

test('is prerendered with a placeholder for the year, so that its release does not change with the calendar', () => {
  const html = renderToString(neutralPage({ default: AccessibleView }));
  expect(html.replaceAll('<!-- -->', '')).toContain(`© ${fragmentSettings.year} Daybook`);
  expect(html).not.toMatch(/\b20\d\d\b/);
});

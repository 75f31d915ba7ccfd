import { expect, test } from '@jest/globals';
import { pageTitle } from './page-title.ts';

test.each([
  [{ path: '/', title: 'The money morning' }, 'Daybook: The money morning'],
  [{ path: '/terms', title: 'Terms of Service' }, 'Terms of Service | Daybook'],
  [undefined, '404 Page Not Found | Daybook'],
])('the document title of %p is %p', (route, title) => {
  expect(pageTitle(route)).toBe(title);
});

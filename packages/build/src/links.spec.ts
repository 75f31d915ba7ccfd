import { expect, test } from '@jest/globals';
import { brokenLinks } from './links.ts';

const sitePaths = new Set(['/', '/terms', '/privacy-policy', '/old-terms']);
const brokenIn = (html: string) =>
  brokenLinks(
    new Map([
      ['/terms', `<h2 class="a" id="fees">Fees</h2>${html}`],
      ['/privacy-policy', '<h2 id="cookies" tabindex="-1">Cookies</h2>'],
    ]),
    sitePaths,
  );

test.each([
  '/?id=7&amp;x=1#form',
  '/privacy-policy#cookies',
  '#fees',
  '/remotes/mf-legal/1.0.0-3f9ac2d10b7e/guide.pdf',
  'https://other.example/termz',
  'mailto:help@daybook.example',
])('%s is no broken link', (href) => {
  expect(brokenIn(`<p>See <a class="b" href="${href}">this</a>.</p>`)).toEqual([]);
});

test.each([
  ['/termz', '/terms links to /termz, which is no page of the site.'],
  ['/privacy-policy#fees', '/terms links to /privacy-policy#fees, but /privacy-policy has no section with that id.'],
])('a link to %s: %s', (href, problem) => {
  expect(brokenIn(`<p>See <a href="${href}">this</a>.</p>`)).toEqual([problem]);
});

test('a Markdown link that is not closed is shown', () => {
  expect(brokenIn('<p class="x">See our [terms](/terms and more.</p>')).toEqual([
    '/terms shows “Fees See our [terms](/terms and more.”: a link in its Markdown is not closed.',
  ]);
});

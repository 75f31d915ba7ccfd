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
const linkTo = (href: string) => `<p>See <a class="b" href="${href}">this</a>.</p>`;

test('pages, sections, files and other addresses are no broken links', () => {
  const ownPages = ['/?id=7&amp;x=1#form', '/privacy-policy#cookies', '#fees'];
  const others = [
    '/remotes/mf-legal/1.0.0-3f9ac2d10b7e/guide.pdf',
    'https://other.example/termz',
    'mailto:a@b.example',
  ];
  expect(brokenIn([...ownPages, ...others].map(linkTo).join(''))).toEqual([]);
});

test.each([
  [linkTo('/termz'), '/terms links to /termz, which is no page of the site.'],
  [
    linkTo('/privacy-policy#fees'),
    '/terms links to /privacy-policy#fees, but /privacy-policy has no section with that id.',
  ],
  [
    '<p class="x">See our [terms](/terms and more.</p>',
    '/terms shows “Fees See our [terms](/terms and more.”: a link in its Markdown is not closed.',
  ],
])('%s is a broken link', (html, problem) => {
  expect(brokenIn(html)).toEqual([problem]);
});

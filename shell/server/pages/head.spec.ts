import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../test/temporary-site.ts';
import { renderPageHead } from './head.ts';

const publicUrl = 'https://daybook.example';
const terms = routeOf('/terms', { title: 'Terms of Service', description: 'The terms & more.' });

describe('what others read of a page', () => {
  test('is its canonical address, without query', () => {
    expect(renderPageHead(terms, publicUrl)).toContain('<link rel="canonical" href="https://daybook.example/terms">');
  });

  test('is title, text and picture for sharing', () => {
    expect(renderPageHead(terms, publicUrl)).toEqual(
      expect.arrayContaining([
        '<meta property="og:title" content="Terms of Service | Daybook">',
        '<meta property="og:description" content="The terms &amp; more.">',
        '<meta property="og:url" content="https://daybook.example/terms">',
        '<meta property="og:image" content="https://daybook.example/social-card.png">',
      ]),
    );
  });

  test.each([
    ['a page in the middle of a journey', routeOf('/thank-you', { noIndex: true })],
    ['an unknown path', undefined],
  ])('of %s has no address that a search engine could show', (_, route) => {
    const head = renderPageHead(route, publicUrl).join('\n');
    expect(head).toContain('<meta name="robots" content="noindex">');
    expect(head).not.toMatch(/canonical|og:url/);
  });
});

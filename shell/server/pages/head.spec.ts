import { readFileSync } from 'node:fs';
import { site } from '@daybook/contract';
import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../test/temporary-site.ts';
import { renderPageHead, socialCard } from './document.ts';

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

  test('says in the picture’s alternative text which page it is, and what the picture says', () => {
    expect(renderPageHead(terms, publicUrl)).toContain(
      `<meta property="og:image:alt" content="Terms of Service | Daybook. ${socialCard.says}">`,
    );
    const picture = readFileSync(new URL('../../pictures/social-card.html', import.meta.url), 'utf8');
    const words = [...picture.matchAll(/<(?:p|small)>(.+)<\//g)].map(([, text]) => text);
    expect(words.join(' ')).toBe(socialCard.says);
  });

  test('in the middle of a journey stays out of the index, and has its address without query', () => {
    const head = renderPageHead(routeOf('/thank-you', { noIndex: true }), publicUrl);
    expect(head).toEqual(
      expect.arrayContaining([
        '<meta name="robots" content="noindex">',
        '<link rel="canonical" href="https://daybook.example/thank-you">',
        '<meta property="og:url" content="https://daybook.example/thank-you">',
      ]),
    );
  });

  test('is, for an unknown path, neither an address to show nor the words of another page', () => {
    const head = renderPageHead(undefined, publicUrl).join('\n');
    expect(head).toContain('<meta name="robots" content="noindex">');
    expect(head).not.toMatch(/canonical|og:url/);
    expect(head).not.toContain(site.description);
    expect(head).toContain('<meta name="description" content="There is no page at this address of Daybook.">');
  });
});

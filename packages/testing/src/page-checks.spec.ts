import { describe, expect, test } from '@jest/globals';
import { describeViolation } from './page-checks.ts';

const node = (html: string, data?: object) => ({ html, any: data ? [{ data }] : [] });

describe('a finding of axe', () => {
  test('of contrast names element, text, ratio and limit', () => {
    const link = node('<a href="/terms" class="c12">Read\n <b>more</b></a>', {
      contrastRatio: 2.1,
      expectedContrastRatio: '4.5:1',
    });
    const help = 'Elements must meet minimum color contrast ratio thresholds';
    expect(describeViolation({ id: 'color-contrast', help, nodes: [link] })).toBe(
      `<a href="/terms"> “Read more” has contrast 2.1:1; 4.5:1 is needed (color-contrast)`,
    );
  });

  test('of another rule names the elements and what is needed, each once', () => {
    const images = [
      node('<img src="/a.png" class="c1">'),
      node('<img src="/a.png" class="c2">'),
      node('<img src="b">'),
    ];
    const help = 'Images must have alternative text';
    expect(describeViolation({ id: 'image-alt', help, nodes: images })).toBe(
      `<img src="/a.png">, <img src="b">: ${help} (image-alt)`,
    );
  });
});

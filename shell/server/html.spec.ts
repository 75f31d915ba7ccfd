import { describe, expect, test } from '@jest/globals';
import { html } from './html.ts';

describe('a template', () => {
  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['" onfocus="alert(1)', '&quot; onfocus=&quot;alert(1)'],
    ["' onfocus='alert(1)", '&#39; onfocus=&#39;alert(1)'],
  ])('escapes %p', (hostile, escaped) => {
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
    expect(html`<ul>${[hostile]}</ul>`.text).toBe(`<ul>${escaped}</ul>`);
  });

  test('accepts lists, numbers and nothing', () => {
    expect(html`${[html`<b></b>`, 0, false, undefined, ['a', html`<i></i>`]]}`.text).toBe('<b></b>0a<i></i>');
  });
});

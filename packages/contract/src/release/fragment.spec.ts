import { describe, expect, test } from '@jest/globals';
import { fragmentProblem } from './fragment.ts';

describe('a fragment is taken', () => {
  test.each([
    ['with text, comments and lists', '<p>Daybook<!-- --> is 5 &lt; 6 &amp; free</p><ul><li>one</li></ul>'],
    ['with empty elements', '<p>one<br/>two<br>three<wbr/></p><input type="email" value=""/><hr/>'],
    ['with a > in an attribute', '<p title="a > b" data-x=\'"\'>text</p>'],
    ['with a drawing', '<svg viewBox="0 0 1 1"><title>Sun</title><path d="M0 0"></path><circle r="1"/></svg>'],
    ['with a word on JavaScript', '<noscript><p>Needs JavaScript.</p></noscript>'],
    ['with a field', '<textarea name="comments">&lt;p&gt;</textarea>'],
  ])('%s', (_what, html) => {
    expect(fragmentProblem(html)).toBeUndefined();
  });
});

describe('a fragment that would break out of its place is not taken', () => {
  test.each([
    ['that is empty', ' \n', 'it is empty'],
    ['that is endless', `<p>${'a'.repeat(1_000_000)}</p>`, 'it has more than 1000000 characters'],
    ['with an element that has no end', '<div><p>text</p>', '<div> has no end'],
    ['with an end too many', '<p>text</p></div>', '</div> ends nothing'],
    ['with ends in another order', '<b><i>text</b></i>', '</b> ends <i>'],
    ['with a script', '<p>text</p><script>alert(1)</script>', 'it has <script>'],
    ['with a style', '<style>p{}</style>', 'it has <style>'],
    ['with a script in a drawing', '<svg><script href="x"/></svg>', 'it has <script'],
    ['with the end of the body', '<p>text</p></body>', 'it has </body>'],
    ['with a frame', '<iframe src="/"></iframe>', 'it has <iframe'],
    ['with a base', '<base href="/x/">', 'it has <base'],
    ['with a tag that never ends', '<p>text <a href="x', 'it has a < that begins no tag'],
    ['with a comment that never ends', '<p>text</p><!-- <p>', 'it has a < that begins no tag'],
    ['with a handler', '<p onclick="alert(1)">text</p>', '<p> has an inline style or event handler'],
    ['with an inline style', '<p style="color:red">text</p>', '<p> has an inline style or event handler'],
  ])('%s', (_what, html, problem) => {
    expect(fragmentProblem(html)).toContain(problem);
  });

  test('a word in an attribute is no handler', () => {
    expect(fragmentProblem('<p title=" style=1 onclick=2">text</p>')).toBeUndefined();
  });
});

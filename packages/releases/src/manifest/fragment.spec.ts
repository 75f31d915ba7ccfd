import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkFragment } from './fragment.ts';

describe('accepts a fragment', () => {
  test.each([
    ['with text, comments and lists', '<p>Daybook<!-- --> is 5 &lt; 6 &amp; “free” 💶</p><ul><li>one</li></ul>'],
    ['with empty elements', '<p>one<br/>two<br>three<wbr/></p><input type="email" value=""/><hr/>'],
    ['with a > in an attribute', '<p title="a > b" data-x=\'"\'>text</p>'],
    ['with a drawing', '<svg viewBox="0 0 1 1"><title>Sun</title><path d="M0 0"></path><circle r="1"/></svg>'],
    ['with a word on JavaScript', '<noscript><p>Needs JavaScript.</p></noscript>'],
    ['with a field', '<textarea name="comments">&lt;p&gt;</textarea>'],
    ['with a table', '<table><tbody><tr><td>1</td></tr></tbody></table>'],
    ['with a word in an attribute that is no handler', '<p title=" style=1 onclick=2">text</p>'],
    ['with a < that begins no tag', '<p>1 < 2</p>'],
    ['as deep as the limit', `${'<div>'.repeat(200)}text${'</div>'.repeat(200)}`],
  ])('%s', (_what, html) => {
    expect(checkFragment(checkFragment(html))).toBe(checkFragment(html));
  });

  test('returns the fragment as serialized by the parser', () => {
    expect(checkFragment('<P CLASS=a title="&#x27;">1 < 2<br/></P>')).toBe('<p class="a" title="\'">1 &lt; 2<br></p>');
  });
});

describe('rejects a fragment', () => {
  test.each([
    ['of nothing but white space and null characters', '\n\0\n', 'it is empty'],
    ['that is empty', ' \n', 'it is empty'],
    ['that is huge', `<p>${'a'.repeat(1_000_000)}</p>`, 'it has more than 1000000 characters'],
    ['with an element that has no end', '<div><p>text</p>', '<div> has no end'],
    ['with an end too many', '<p>text</p></div>', '“</div>” is not where it can be'],
    ['with ends in another order', '<b><i>text</b></i>', '<i> has no end'],
    ['with a paragraph that another ends', '<p>a<div>b</div></p>', '<p> has no end'],
    ['with a row without its table', '<tr><td>1</td></tr>', '“<tr><td>1</td></tr>” is not where it can be'],
    ['with text that a table moves', '<table>a<tbody></tbody></table>', 'is not where it can be'],
    ['with a script', '<p>text</p><script>alert(1)</script>', 'it has <script>'],
    ['with a style', '<style>p{}</style>', 'it has <style>'],
    ['with a script in a drawing', '<svg><script href="x"/></svg>', 'it has <script>'],
    ['with a script in noscript', '<noscript><script>alert(1)</script></noscript>', 'it has <script>'],
    ['with markup that ends noscript early', '<noscript><p title="</noscript><a>">text</p></noscript>', 'has no end'],
    ['with markup that leaves a drawing', '<svg><p>text</p></svg>', 'has no end'],
    ['with the end of the body', '<p>text</p></body>', '“</body>” is not where it can be'],
    ['with a frame', '<iframe src="/"></iframe>', 'it has <iframe>'],
    ['with a base', '<base href="/x/">', 'it has <base>'],
    [
      'with a text on both sides of a table, which joins before it',
      '&lt;<table><form>text<tr><<form>&amp;',
      'is not where it can be',
    ],
    ['with an end tag that is dropped in noscript', '<noscript>text</b>text</noscript>', 'is not where it can be'],
    [
      'with an end tag that is dropped in a drawing',
      '<svg><textarea>a</b>b</textarea></svg>',
      'is not where it can be',
    ],
    ['with an end tag that the parser drops', 'text</b>text', 'is not where it can be'],
    ['with a tag that never ends', '<p>text <a href="x', 'has no end'],
    ['with a comment that never ends', '<p>text</p><!-- <p>', '“<!-- <p>” is not where it can be'],
    ['with a comment that is none', '<p>text</p><?php ?>', '“<?php ?>” is not where it can be'],
    ['with a document type', '<!doctype html><p>text</p>', '“<!doctype html><p>text</p>” is not where it can be'],
    ['with a line break that browsers drop', '<pre>\n\ntext</pre>', 'begins with a line break'],
    ['with an id of the shell', '<p id="page-data">{}</p>', 'its id “page-data” is that of an element of the shell'],
    ['with a handler', '<p onclick="alert(1)">text</p>', '<p> has an inline style or event handler'],
    ['with an inline style', '<p STYLE="color:red">text</p>', '<p> has an inline style or event handler'],
    ['that is deeper than the limit', '<div>'.repeat(100_000), 'it has more than 256 elements inside one another'],
    ['of nothing but links', '<a>'.repeat(330_000), 'it has more than'],
    [
      'with too many attributes',
      `<p ${Array.from({ length: 101 }, (_, each) => `a${each}`).join(' ')}></p>`,
      '<p> has more than 100 attributes',
    ],
    ['of too many elements', '<br>'.repeat(20_001), 'it has more than 20000 elements'],
  ])('%s', (_what, html, problem) => {
    expect(() => checkFragment(html)).toThrow(problem);
  });
});

describe('an accepted fragment', () => {
  const part = fc.constantFrom(
    ...'<a> </a> <p> </p> <div> </div> <table> <tbody> <tr> <td> </td> </tr> </tbody> </table> <svg> </svg> <title>'.split(
      ' ',
    ),
    ...'</title> <foreignObject> </foreignObject> <math> <mi> </mi> </math> <noscript> </noscript> <select> </select>'.split(
      ' ',
    ),
    ...'<option> </option> <form> </form> <textarea> </textarea> <pre> </pre> <li> </li> <br> <p/> <path/> <!-- -->'.split(
      ' ',
    ),
    ...['text', '\n', '"', "'", '&amp;', '&lt;', '<', '\0', '<p title="', '<![CDATA[', ']]>', '</p >'],
  );

  test('is unchanged by a second check, with balanced end tags', () => {
    fc.assert(
      fc.property(fc.array(part, { size: 'max', maxLength: 30 }), (parts) => {
        let checked: string;
        try {
          checked = checkFragment(parts.join(''));
        } catch (error) {
          expect(error).toHaveProperty('name', 'FragmentError');
          return;
        }
        expect(checkFragment(checked)).toBe(checked);
      }),
      { numRuns: 3_000 },
    );
  });
});

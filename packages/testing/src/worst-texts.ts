/** Returns a text of a length in bytes. */
type Fill = (length: number) => string;

const repeat =
  (part: string, before = '', after = ''): Fill =>
  (length) => {
    const room = Math.max(0, length - Buffer.byteLength(before + after));
    return before + part.repeat(Math.floor(room / Buffer.byteLength(part))) + after;
  };

const runsOf = (parts: readonly string[]) =>
  Object.fromEntries(parts.map((part): [string, Fill] => [JSON.stringify(part), repeat(part)]));

/** Texts in which a list or a pattern can begin or end anywhere; in ASCII, as headers and addresses need. */
export const worstRuns: Readonly<Record<string, Fill>> = {
  ...runsOf([...'a 0/\\.,;:=&?%@-+"<([_*~|\t\n']),
  ...runsOf([
    'a@',
    '@a.',
    'a.',
    '.a',
    'a-',
    'a/',
    '1.',
    'a,',
    ', ',
    ' ,',
    'a;',
    'a b',
    'a=b;',
    'W/"a",',
    'a;q=0.1,',
    '1.1.1.1,',
  ]),
  ...runsOf(['0-1,', '%41', '%25', '%2f', '%e2%80%a2', '../', 'a[', '1_', '<a', '<!--', '/*', 'url(', 'mailto:']),
  'spaces inside': repeat(' ', 'a', 'a'),
  'spaces after a comma': repeat(' ', ',', 'a'),
  ranges: repeat('0-1,', 'bytes=', '0-1'),
  cookie: repeat('1_', 'waitlist=', '.a'),
};

/** Texts that are nearly an address, a time or a name. */
export const worstValues: Readonly<Record<string, Fill>> = {
  letters: repeat('a'),
  spaces: repeat(' ', 'a', 'a'),
  digits: repeat('9', '2026-01-02T03:04:05.', 'Z'),
  'a long local part': repeat('a.', '', 'a@b.co'),
  'a long domain': repeat('a.', 'a@', 'a'),
  'an encoded label': repeat('a', 'a@xn--', '.com'),
  'encoded labels': repeat('xn--a.', 'a@', 'com'),
  'unseen characters inside': repeat('\u200b', 'a', 'b'),
  'bullets before unseen characters': (length) => `${'•'.repeat(length / 9)}a${'\u200b'.repeat((length * 2) / 9)}b`,
  'schemes before a query': repeat('mailto:', '', 'a@b.co?a\n'),
  'nested brackets': (length) => `${'<'.repeat(length / 2)}a@b.co${'>'.repeat(length / 2)}`,
  'line breaks in brackets': (length) => `${'<\n'.repeat(length / 4)}${'\n>'.repeat(length / 4)}`,
  'marks in the wrong order': repeat('\u0316\u0301', 'a@b'),
  'characters that normalize to 18': repeat('\ufdfa', 'a@'),
  'full-width letters': repeat('ａ', 'a@', '.com'),
  'halves of pairs': repeat('\ud800'),
};

/** JSON that makes its parsers slow. */
export const worstJson: Readonly<Record<string, Fill>> = {
  ...Object.fromEntries(
    Object.entries(worstValues).map(([name, fill]): [string, Fill] => [
      name,
      (length) => `"${escaped(fill(length), length)}"`,
    ]),
  ),
  escapes: repeat('\\u2022', '"', '"'),
  numbers: repeat('1,', '[', '1]'),
  texts: repeat('"",', '[', '""]'),
  objects: repeat('{},', '[', '{}]'),
  arrays: repeat('[],', '[', '[]]'),
  'a long number': repeat('9'),
  'deep arrays': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'deep objects': (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
  'many keys': (length) =>
    `{${Array.from({ length: length / 12 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`,
  'one key often': repeat('"email":"a@b.co",', '{', '"email":"a@b.co"}'),
  __proto__s: repeat('"__proto__":{},', '{', '"a":1}'),
  'a text like __proto__': repeat('\\"__proto__\\":', '"', '"'),
  'not closed': repeat('[{"a":'),
};

/** Returns the beginning of a text, escaped for JSON, in at most `length` bytes with its quotes. */
function escaped(text: string, length: number): string {
  let json = '';
  let room = length - 2;
  for (const character of text) {
    const each = JSON.stringify(character).slice(1, -1);
    room -= Buffer.byteLength(each);
    if (room < 0) break;
    json += each;
  }
  return json;
}

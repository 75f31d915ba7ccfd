/** Returns a text of a length in bytes. */
type Fill = (length: number) => string;
type Fills = Readonly<Record<string, Fill>>;

const repeat =
  (part: string, before = '', after = ''): Fill =>
  (length) => {
    const room = Math.max(0, length - Buffer.byteLength(before + after));
    return before + part.repeat(Math.floor(room / Buffer.byteLength(part))) + after;
  };

const words = 'a@ @a. a. .a a- a/ 1. a, a; a=b; W/"a", a;q=0.1, 1.1.1.1, 0-1, %41 %25 %2f ../ a[ 1_ <a <!-- /* url(';

/** Texts in which a list or a pattern can begin or end anywhere; in ASCII, as headers and addresses need. */
export const worstRuns: Fills = {
  ...Object.fromEntries([...'a 0/\\.,;:=&?%@-+"<([_*~|\t\n', ...words.split(' ')].map((part) => [part, repeat(part)])),
  'spaces inside': repeat(' ', 'a', 'a'),
  'spaces after a comma': repeat(' ', ',', 'a'),
  ranges: repeat('0-1,', 'bytes=', '0-1'),
  cookie: repeat('1_', 'waitlist=', '.a'),
};

/** Texts that are nearly an address, a time or a name. */
export const worstValues: Fills = {
  letters: repeat('a'),
  spaces: repeat(' ', 'a', 'a'),
  digits: repeat('9', '2026-01-02T03:04:05.', 'Z'),
  'a long local part': repeat('a.', '', 'a@b.co'),
  'a long domain': repeat('a.', 'a@', 'a'),
  'an encoded label': repeat('a', 'a@xn--', '.com'),
  'encoded labels': repeat('xn--a.', 'a@', 'com'),
  'unseen characters inside': repeat('\u200b', 'a', 'b'),
  'schemes before a query': repeat('mailto:', '', 'a@b.co?a\n'),
  'marks in the wrong order': repeat('\u0316\u0301', 'a@b'),
  'characters that normalize to 18': repeat('\ufdfa', 'a@'),
  'full-width letters': repeat('ａ', 'a@', '.com'),
  'halves of pairs': repeat('\ud800'),
};

/** JSON that makes its parsers slow. */
export const worstJson: Fills = {
  escapes: repeat('\\u2022', '"', '"'),
  objects: repeat('{},', '[', '{}]'),
  'a long number': repeat('9'),
  'deep arrays': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'deep objects': (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
  'many keys': (length) =>
    `{${Array.from({ length: length / 12 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`,
  __proto__s: repeat('"__proto__":{},', '{', '"a":1}'),
  'not closed': repeat('[{"a":'),
};

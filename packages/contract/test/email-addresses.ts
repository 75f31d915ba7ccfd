import * as fc from 'fast-check';

/** Texts that were once accepted, or stored as another address than the visitor's. */
export const hostileAddresses = [
  'missing-at.example.com',
  'gmail.com',
  'a@b.co\0',
  'a@\0b.co',
  '\u0001a@b.co',
  'a@b.co\r\nBcc: c@d.co',
  'a@x.example,b@y.example',
  'a@x.example;b@y.example',
  'a@x.example b@y.example',
  'a@b@c.co',
  '"a@b.co"@c.co',
  'Ann <a@b.co>',
  'a@0x7f000001',
  'a@0x7f.1',
  'a@1.1',
  'a@127.1',
  'a@127.0.0.1',
  'a@127.0.0.1.',
  'a@2130706433',
  'a@017700000001',
  'a@１２７.１',
  'a@①.①',
  'a@[127.0.0.1]',
  'a@[::1]',
  'a@b.co/c',
  'a@b.co:25',
  'a@münchen.de/c',
  'a@münchen.de:25',
  'a@münchen.de?c',
  'a@user@münchen.de',
  'a@ex℀mple.com',
  'a@b.co..',
  'a@.',
  'a@..',
  'a@.b.co',
  'a@b..co',
  'a@-b.co',
  'a@b.co%00',
  'a＠b.co',
  '@b.co',
  'a@',
  '@',
  '',
] as const;

const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abZ0129.-_+x') },
  { weight: 2, arbitrary: fc.constantFrom(...'@@.,;<>" \t\r\n\0\\/?#%:[]()\'&') },
  { weight: 1, arbitrary: fc.constantFrom(...'éüßİı。．＠％℀①１\u00ad\u200b\u200d\u202e\ufeff\ud800') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);
const part = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));
const domain = fc.oneof(
  part,
  fc.domain(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.constantFrom('example.org', 'EXAMPLE.Org', 'münchen.de', 'xn--mnchen-3ya.de', 'b。co', '0x7f000001', 'localhost'),
);

/** Texts similar to an address: valid, nearly valid and invalid ones. */
export const addressLike: fc.Arbitrary<string> = fc.oneof(
  fc.emailAddress(),
  fc
    .tuple(fc.constantFrom('', '', ' ', '\n'), part, fc.constantFrom('@', '@', '@', '', '@@'), domain)
    .chain(([before, local, at, host]) =>
      fc.constantFrom('', '', '.', '..', ' ', '\0', '。').map((after) => `${before}${local}${at}${host}${after}`),
    ),
  fc.mixedCase(fc.emailAddress()).map((address) => `${address}.`),
  part,
);

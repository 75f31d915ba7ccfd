import * as fc from 'fast-check';

/** Returns the words of a text; for addresses without white space and escapes. */
const words = (text: TemplateStringsArray) => (text.raw[0] ?? '').trim().split(/\s+/);

/** Texts that were once accepted, or stored as another address than the visitor's. */
export const hostileEmails: readonly string[] = [
  ...words`
    missing-at.example.com gmail.com a@x.example,b@y.example a@x.example;b@y.example a@b@c.co "a@b.co"@c.co
    [a@b.co](mailto:a@b.co) mailto:a%2Bb@b.co mailto:a@b.co,c@d.co a@①.① a@b.co/c a@b.co:25 a@münchen.de/c
    a@münchen.de:25 a@münchen.de?c a@user@münchen.de a@ex℀mple.com a@b.co.. a@b.co., a@. a@.. a@.b.co a@b..co a@-b.co
    a@b.co%00 a＠b.co @b.co a@ @ . <> "" o”hara@b.co o’hara@b.co a(b)@b.co a[b]@b.co a:b@b.co a\b@b.co a"b@b.co`,
  ...['', 'a@\0b.co', 'a\0@b.co', 'a@b.co\r\nBcc: c@d.co', 'a@b.co\r\nBcc: c', 'a@x.example b@y.example', '"a b"@c.co'],
  ...['Ann <a@b.co>', '<a@b.co> <c@d.co>', 'a @b.co', 'a@ b.co', 'a@b.c o'],
  // Inside an address nothing is removed, however invisible it is. U+115F is a letter for Unicode, U+FE0F a mark.
  ...['a\u200b@b.co', 'a\u115fb@b.co', 'a\ufe0fb@b.co', 'a@\u200bb.co', 'a@b\u200b.co', 'a@b\u00ad.co'],
  ...['a@b\ufe0f.co', 'a@b\u3164.co', 'a@b\u034f.co', 'a@b.c\u200do'],
  // The rest of a pair of quotes that was copied in part.
  ...["'a@b.co", '`a@b.co'],
  // What the mapping of IDNA turns into letters or punycode.
  ...words`
    a@example.com™ a@exam™ple.com a@example.com” a@example”.com a@ex、ample.com a@☃.net a@i❤.ws a@💩.la a@ⓔxample.com
    a@example①.com a@ﬁnance.com a@𝐞xample.com a@exampleª.com a@col·lectiu.cat a@exａmple／.com`,
  ...['a@exa\u2011mple.com', 'a@exa\u2010mple.com', 'a@exa\u2013mple.com', 'a@exa\u2212mple.com'],
  ...['a@e\u0332\u20ddxample.com', 'a@ex\u2044ample.com'],
];

/** Pairs of what is typed and what is stored: `typed=stored`, or one word where both are the same. */
const pairs = (text: TemplateStringsArray) =>
  words(text).map((pair): readonly [typed: string, stored: string] => {
    const [typed = '', stored = typed] = pair.split('=');
    return [typed, stored];
  });

/** Hosts that are no reason to refuse an opt-out; a signup needs a public domain. With the host as it is stored. */
export const privateHosts = pairs`
  localhost Intranet=intranet under_score.example.com _dmarc.example.com example.c_m 192.0.2.1 192.0.2.1.=192.0.2.1 127.1
  １２７.１=127.1 0x7F.1=0x7f.1 2130706433 [192.0.2.1] [IPv6:2001:DB8::1]=[ipv6:2001:db8::1] [::1] example.123`;

/** Local parts that only a privacy form accepts. */
export const privateLocalParts = ['re..ader', '.reader', 'reader.', 'ädä', 'पाठक', 'reader。'] as const;

/** Domains as browsers encode them, with what IDNA 2008 does not allow. Only servers decode them. */
export const encodedDomains = [
  'xn--example-706c.com', // a hyphen, U+2010
  'xn--example-b46c.com', // a quotation mark, U+201D
  'xn--example-zo3f.com', // an ideographic comma, U+3001
  'example.xn--com-9o0a', // a quotation mark at the end
  'xn--n3h.net', // a snowman
  'xn--ls8h.la', // an emoji
  'xn--collectiu-2pa.cat', // a middle dot
  'xn--example-.com', // nothing but ASCII
  'xn--a.com', // no punycode
  'xn--0.com',
  'xn--xn--mnchen-3ya-.de', // punycode of punycode
  'xn--mnchen-3YA-.de',
  'xn----9fa.com', // a hyphen at the end, é-
  'xn--ab---epa.com', // hyphens as third and fourth character
  'xn--ab-hvd.com', // a tatweel
] as const;

/** Domains that people type, and how they are stored. */
export const internationalDomains = [
  ...pairs`
    MÜNCHEN.de=xn--mnchen-3ya.de münchen。de=xn--mnchen-3ya.de münchen.de.=xn--mnchen-3ya.de xn--mnchen-3ya.de
    XN--MNCHEN-3YA.DE=xn--mnchen-3ya.de faß.de=xn--fa-hia.de 例え.jp=xn--r8jz45g.jp 日本語。ＪＰ=xn--wgv71a119e.jp
    Ｅｘａｍｐｌｅ．ｃｏｍ=example.com example。com=example.com пример.рф=xn--e1afmkfd.xn--p1ai
    उदाहरण.भारत=xn--p1b6ci4b4b3a.xn--h2brj9c مثال.إختبار=xn--mgbh0fb.xn--kgbechtv ab--cd.com`,
  ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'] as const,
];

/** What surrounds an address that people paste: `_` stands for the address. */
export const wrappings: readonly string[] = [
  ...[' _ ', '\t_\r\n', '\u00a0_\u3000', '\u200b_\u200b', '\u200e_\u200f', '\u202a_\u202c', '\u2066_\u2069'],
  ...['\u2060_\u2064', '\ufeff_\ufeff', '\u00ad_\u00ad', '\u180e_\u061c', '_\ufe0f', '_\ufe0e\u200d', '\0_\u0001'],
  ...['\u0085_\u2028', '\u115f_\u3164', '\u2800_\ufffc', '\u{e0001}_\u{e007f}', '\u200b<\u200b_\u200b>\u200b'],
  ...['• _', '•\u00a0_', '- _', '* _', '– _', '\uf0b7\t_', '\uf0b7_', '■ _', '○ _', '∙_', '− _', '« _ »', '`_`'],
  ...words`
    mailto:_ MAILTO:_ mailto:_?subject=Hello%20there mailto://_ <_> <mailto:_> <mailto://_?subject=Hello> "_" '_' “_” „_“
    ‘_’ «_» (_) [_] “<_>”, _, _; _. _。 "_". "_." <_>; ·_ „_” ”_” »_« ‚_‘ ’_’ ‹_› ›_‹ 「_」 （_） ＜_＞ 「_」、 _， _； _、`,
];

export const wrap = (wrapping: string, email: string): string => wrapping.replace('_', () => email);

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
export const emailLike: fc.Arbitrary<string> = fc.oneof(
  fc.emailAddress(),
  fc
    .tuple(fc.constantFrom('', '', ' ', '\n'), part, fc.constantFrom('@', '@', '@', '', '@@'), domain)
    .chain(([before, local, at, host]) =>
      fc.constantFrom('', '', '.', '..', ' ', '\0', '。').map((after) => `${before}${local}${at}${host}${after}`),
    ),
  fc.tuple(fc.constantFrom(...wrappings), fc.emailAddress()).map(([wrapping, email]) => wrap(wrapping, email)),
  fc.mixedCase(fc.emailAddress()).map((email) => `${email}.`),
  part,
);

/** Domains as people might type them: mostly letters, and symbols of blocks that no version of Unicode extends. */
export const typedDomain: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'abz019éüßñøжщλ日本語한글עבעربहिन्दी') },
      {
        weight: 1,
        arbitrary: fc
          .oneof(
            fc.integer({ min: 0, max: 0x7ff }),
            fc.integer({ min: 0x2000, max: 0x33ff }),
            fc.integer({ min: 0xff00, max: 0xffef }),
          )
          .map((code) => String.fromCharCode(code)),
      },
    ),
    { minLength: 1, maxLength: 8 },
  )
  // Node's URL parser, unlike browsers, does not compare the directions of several labels.
  .map((characters) => `${characters.join('').replace(/[.。．｡]/g, '')}.com`);

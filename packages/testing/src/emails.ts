const words = (text: TemplateStringsArray) => (text.raw[0] ?? '').trim().split(/\s+/);

/** Emails that a signup accepts, as typed and as stored. */
export const signupEmails: readonly (readonly [typed: string, stored: string])[] = [
  ['reader@example.com', 'reader@example.com'],
  [' Reader.Name+tag@EXAMPLE.Com\n', 'Reader.Name+tag@example.com'],
  ['\u200b\u00a0reader@example.com\u3000\u200e\ufeff', 'reader@example.com'],
  ["-o'hara_7@ab--cd.sub.example.co.uk", "-o'hara_7@ab--cd.sub.example.co.uk"],
  ['a@MÜNCHEN.de', 'a@xn--mnchen-3ya.de'],
  ['a@mu\u0308nchen.de', 'a@xn--mnchen-3ya.de'],
  ['a@xn--mnchen-3ya.de', 'a@xn--mnchen-3ya.de'],
  ['a@例え。jp', 'a@xn--r8jz45g.jp'],
  ['a@Ｅｘａｍｐｌｅ．ｃｏｍ', 'a@example.com'],
  ['a@उदाहरण.भारत', 'a@xn--p1b6ci4b4b3a.xn--h2brj9c'],
];

/** Emails that all forms but the signup's accept, as they are stored. */
export const otherEmails = words`
  a@localhost a@192.0.2.1 re..ader@example.com .reader@example.com reader.@example.com ädä@example.com पाठक@example.com`;

/** Texts that no form accepts. */
export const invalidEmails: readonly string[] = [
  ...words`
    missing-at.example.com a@b@c.co a@x.example,b@y.example a@x.example;b@y.example "a@b.co"@c.co a"b@b.co <a@b.co>
    mailto:a@b.co a@b.co. a@b.co.. a@b..co a@.b.co a@-b.co a@b-.co a@b_c.co a@. @b.co a@ @ a@b.co/c a@b.co:25 a@b.co?c a@b.co%00
    a＠b.co o’hara@b.co a(b)@b.co a\b@b.co a@example.com™ a@ex℀mple.com a@①.① a@💩.la a@[192.0.2.1] a@example.123`,
  ...['', ' ', 'Ann <a@b.co>', 'a @b.co', 'a@ b.co', 'a@b.co c@d.co', 'a@b.co\r\nBcc: c@d.co', 'a\0@b.co', 'a@b\0.co'],
  // Inside, nothing is removed.
  ...['a\u200b@b.co', 'a\ufe0fb@b.co', 'a@b\u00ad.co'],
  `a@${'b'.repeat(64)}.co`,
  `${'a'.repeat(250)}@b.co`,
];

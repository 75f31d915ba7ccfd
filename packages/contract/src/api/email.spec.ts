import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { emailOf, invalidEmailMessage, signupEmailOf } from './email.ts';
import { emailSchema, signupEmailSchema } from './fields.ts';

const words = (text: TemplateStringsArray) => (text.raw[0] ?? '').trim().split(/\s+/);

/** Emails that a signup accepts, as typed and as stored. */
const signupEmails: readonly (readonly [typed: string, stored: string])[] = [
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
const otherEmails = words`
  a@localhost a@192.0.2.1 a@1 a@0x7f.1 a@1.2.3.4.5 a@example.123 re..ader@example.com .reader@example.com reader.@example.com ädä@example.com पाठक@example.com`;

/** Texts that no form accepts. */
const invalidEmails: readonly string[] = [
  ...words`
    missing-at.example.com a@b@c.co a@x.example,b@y.example a@x.example;b@y.example "a@b.co"@c.co a"b@b.co <a@b.co>
    mailto:a@b.co a@b.co. a@b.co.. a@b..co a@.b.co a@-b.co a@b-.co a@b_c.co a@. @b.co a@ @ a@b.co/c a@b.co:25 a@b.co?c a@b.co%00
    a＠b.co o’hara@b.co a(b)@b.co a\b@b.co a@example.com™ a@ex℀mple.com a@①.① a@💩.la a@[192.0.2.1]`,
  ...['', ' ', 'Ann <a@b.co>', 'a @b.co', 'a@ b.co', 'a@b.co c@d.co', 'a@b.co\r\nBcc: c@d.co', 'a\0@b.co', 'a@b\0.co'],
  // Inside, nothing is removed.
  ...['a\u200b@b.co', 'a\ufe0fb@b.co', 'a@b\u00ad.co'],
  `a@${'b'.repeat(64)}.co`,
  `${'a'.repeat(250)}@b.co`,
];

const longest = `${'a'.repeat(242)}@example.com`;

describe.each([
  ['a signup', signupEmailOf],
  ['another form', emailOf],
])('the email of %s', (_form, read) => {
  test.each([...signupEmails, [longest.padEnd(1_000), longest]])('%.60j is stored as %.60j', (typed, stored) => {
    expect([read(typed), read(stored)]).toEqual([stored, stored]);
  });

  test.each([...invalidEmails, `a${longest}`])('%.60j is rejected', (typed) => {
    expect(read(typed)).toBeUndefined();
  });
});

test.each(otherEmails)('%s is no email for a signup, only for other forms', (email) => {
  expect([signupEmailOf(email), emailOf(email)]).toEqual([undefined, email]);
});

test('the schemas return the stored spelling, or the message of docs/product.md', () => {
  for (const schema of [emailSchema, signupEmailSchema]) {
    expect(schema.parse(' reader@Example.com ')).toBe('reader@example.com');
    for (const typed of ['reader', 7, null, undefined])
      expect(schema.safeParse(typed).error?.issues.map(({ message }) => message)).toEqual([invalidEmailMessage]);
  }
});

/** The rule of a field of type email: html.spec.whatwg.org. */
const browserRule =
  /^[a-z\d.!#$%&'*+/=?^_`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

/** Texts similar to an email. */
const emailLike = fc.oneof(
  fc.emailAddress(),
  fc
    .array(fc.constantFrom(...'abZ01.-+x@@.,;<>" \t\n\0\\/?#%:[]()éüßİı。＠％℀①\u00ad\u200b\ud800'), { maxLength: 12 })
    .map((characters) => characters.join(''))
    .chain((text) => fc.constantFrom(text, `a@${text}`, `${text}@example.com`, `a@${text}.com`)),
);

test('an accepted email names one mailbox, is stable, and in a signup is valid for a browser', () => {
  fc.assert(
    fc.property(emailLike, (typed) => {
      const email = emailOf(typed);
      if (email === undefined) return;
      expect(email).toMatch(/^[^@\s\p{C}\p{Z},;:<>"()\\]+@[a-z\d._-]+$/u);
      expect(emailOf(email)).toBe(email);
      expect(typed).toContain(email.slice(0, email.indexOf('@') + 1));
      if (signupEmailOf(typed) !== undefined) expect(email).toMatch(browserRule);
    }),
    { numRuns: 5_000 },
  );
});

import { invalidEmails, otherEmails, signupEmails } from '@daybook/testing/emails';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { emailOf, invalidEmailMessage, signupEmailOf } from './email.ts';
import { emailSchema, signupEmailSchema } from './fields.ts';

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

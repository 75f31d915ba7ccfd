import { describe, expect, test } from '@jest/globals';
import { emailAddressSchema, invalidEmailAddressMessage } from './email-address.ts';

describe('an e-mail address', () => {
  test.each([
    ['reader@example.com', 'reader@example.com'],
    ['  Reader.Name+tag@EXAMPLE.Com ', 'Reader.Name+tag@example.com'],
    ['leser@münchen.de', 'leser@xn--mnchen-3ya.de'],
    ["o'hara@sub.domain.co.uk", "o'hara@sub.domain.co.uk"],
  ])('%p is kept as %p', (typed, kept) => {
    expect(emailAddressSchema.parse(typed)).toBe(kept);
  });

  test.each([
    '',
    ' ',
    'reader',
    'reader@',
    '@example.com',
    'reader@example',
    'reader@1.2',
    'a b@example.com',
    'reader@exa mple.com',
    'reader@example.com/evil',
    'reader@[127.0.0.1]',
    '.reader@example.com',
    're..ader@example.com',
    'reader@-example.com',
    'reader\u0000@example.com',
    'reader@example.com\r\nBcc: x@example.com',
    `${'a'.repeat(65)}@example.com`,
    7,
    null,
    undefined,
  ])('%p is refused', (typed) => {
    expect(emailAddressSchema.safeParse(typed).error?.issues[0]?.message).toBe(invalidEmailAddressMessage);
  });

  test('longer than 254 characters is refused, naming the limit', () => {
    const long = `reader@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.com`;
    expect(emailAddressSchema.safeParse(long).error?.issues[0]?.message).toMatch(/at most 254 characters/);
  });
});

import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addressLike, hostileAddresses } from '../../test/email-addresses.ts';
import { emailAddressSchema, invalidEmailAddressMessage, privacyAddressSchema } from './fields.ts';

describe('a signup address', () => {
  test.each([
    ['reader@example.com', 'reader@example.com'],
    ['  Reader.Name+tag@EXAMPLE.Com ', 'Reader.Name+tag@example.com'],
    ['leser@MÜNCHEN.de', 'leser@xn--mnchen-3ya.de'],
    ['leser@münchen。de', 'leser@xn--mnchen-3ya.de'],
    ['dot@example.org.', 'dot@example.org'],
    ['leser@münchen.de.', 'leser@xn--mnchen-3ya.de'],
    ["o'hara@sub.domain.co.uk", "o'hara@sub.domain.co.uk"],
    // Japanese mobile carriers issued such mailboxes, and browsers accept them.
    ['re..ader.@example.com', 're..ader.@example.com'],
  ])('%p is normalized to %p', (typed, normalized) => {
    expect(emailAddressSchema.parse(typed)).toBe(normalized);
  });

  test.each([...hostileAddresses, 'reader@example', 'a b@example.com', `a@${'b'.repeat(64)}.co`, 7, null, undefined])(
    'rejects %j',
    (typed) => {
      expect(emailAddressSchema.safeParse(typed).error?.issues[0]?.message).toBe(invalidEmailAddressMessage);
    },
  );

  test('rejects more than 254 characters, naming the limit', () => {
    const message = (typed: string) => emailAddressSchema.safeParse(typed).error?.issues[0]?.message;
    expect(message(`${'a'.repeat(243)}@example.com`)).toMatch(/at most 254 characters/);
    expect(message(`${'a'.repeat(100_000)}@example.com`)).toMatch(/at most 254 characters/);
    expect(message(`${'a'.repeat(242)}@example.com.`)).toBeUndefined();
  });
});

describe('the address of a privacy request', () => {
  test.each([
    [' Reader@EXAMPLE.com ', 'Reader@example.com'],
    ['dot@example.org.', 'dot@example.org'],
    ['reader@localhost', 'reader@localhost'],
    ['ädä@Intranet', 'ädä@intranet'],
    ['(odd)one@münchen.de', '(odd)one@xn--mnchen-3ya.de'],
  ])('%p is normalized to %p', (typed, normalized) => {
    expect(privacyAddressSchema.parse(typed)).toBe(normalized);
  });

  test.each(hostileAddresses)('rejects %j', (typed) => {
    expect(privacyAddressSchema.safeParse(typed).error?.issues[0]?.message).toBe(invalidEmailAddressMessage);
  });
});

describe.each([
  ['a signup', emailAddressSchema],
  ['a privacy request', privacyAddressSchema],
])('whatever is accepted as the address of %s', (_name, schema) => {
  const check = (holds: (address: string) => void) =>
    fc.assert(
      fc.property(addressLike, (typed) => {
        const { data } = schema.safeParse(typed);
        if (data !== undefined) holds(data);
      }),
      { numRuns: 3_000 },
    );

  test('has exactly one @ with text on both sides, and names one recipient', () => {
    check((address) => expect(address).toMatch(/^[^@\s\p{Cc},;<>"]+@[^@\s\p{Cc},;<>"]+$/u));
  });

  test('is stable under repeated normalization', () => {
    check((address) => expect(schema.parse(address)).toBe(address));
  });

  test('has a domain that no URL parser reads as an IP address', () => {
    check((address) => {
      const host = URL.parse(`http://${address.slice(address.indexOf('@') + 1)}`)?.hostname;
      expect(host ?? '').not.toMatch(/^[\d.]+$|^\[/);
    });
  });
});

test('a signup address is accepted as the address of a privacy request, in the same spelling', () => {
  fc.assert(
    fc.property(addressLike, (typed) => {
      const { data } = emailAddressSchema.safeParse(typed);
      if (data !== undefined) expect(privacyAddressSchema.parse(typed)).toBe(data);
    }),
    { numRuns: 3_000 },
  );
});

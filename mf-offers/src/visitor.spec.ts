import { describe, expect, test } from '@jest/globals';
import { wrap, wrappings } from '../../packages/contract/test/email-addresses.ts';
import { offerPickerAddress, parseRegistrationId, readVisitor, thankYouAddress } from './visitor.ts';

test.each([
  ['1', 1],
  ['007', 7],
  ['281474976710655', 2 ** 48 - 1],
  ...[null, '', '12abc', '1.5', '-3', '0', '1e3', '0x1f', ' 12', '99999999999999999999'].map(
    (text): [string | null, undefined] => [text, undefined],
  ),
])('%p is the registration id %p', (text, id) => {
  expect(parseRegistrationId(text)).toBe(id);
});

describe('the visitor of /thank-you', () => {
  test.each(['id', 'userId', 'uid'])('reads the id from %s', (name) => {
    expect(readVisitor(new URLSearchParams({ [name]: '7' }))).toEqual({ id: 7, email: undefined });
  });

  test.each(['email', 'e'])('reads the address from %s', (name) => {
    expect(readVisitor(new URLSearchParams({ [name]: 'reader@example.com' })).email).toBe('reader@example.com');
  });

  test('uses the first parameter with a valid id', () => {
    expect(readVisitor(new URLSearchParams('id=abc&userId=8&uid=9')).id).toBe(8);
  });

  test.each(['Call 555-0100 to claim your prize', 'missing-at.example.com', 'a\0@b.co', 'a@x.example,b@y.example'])(
    'ignores %j as an address',
    (email) => {
      expect(readVisitor(new URLSearchParams({ email })).email).toBeUndefined();
    },
  );

  test.each(wrappings)('has the normalized address, without what was pasted with it: %j', (wrapping) => {
    for (const name of ['email', 'e'])
      expect(readVisitor(new URLSearchParams({ [name]: wrap(wrapping, 'reader@Example.com') })).email).toBe(
        'reader@example.com',
      );
  });
});

test('the pages of the journey pass the visitor on', () => {
  const visitor = { id: 7, email: 'first+tag@example.com' };
  expect(thankYouAddress(visitor)).toBe('/thank-you?id=7&email=first%2Btag%40example.com');
  expect(offerPickerAddress({ id: 7, email: undefined })).toBe('/continue-registration?id=7');
  expect(thankYouAddress({ id: undefined, email: undefined })).toBe('/thank-you');
});

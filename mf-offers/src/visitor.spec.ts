import { describe, expect, test } from '@jest/globals';
import { offerPickerAddress, parseRegistrationId, readVisitor, thankYouAddress } from './visitor.ts';

describe('a registration id', () => {
  test.each([
    ['1', 1],
    ['42', 42],
    ['007', 7],
    ['281474976710655', 2 ** 48 - 1],
  ])('%p is one', (text, id) => {
    expect(parseRegistrationId(text)).toBe(id);
  });

  test.each([null, '', ' ', '12abc', 'abc', '1.5', '-3', '0', '1e3', '0x1f', ' 12', '99999999999999999999'])(
    '%p is none',
    (text) => {
      expect(parseRegistrationId(text)).toBeUndefined();
    },
  );
});

describe('the visitor of /thank-you', () => {
  test.each(['id', 'userId', 'uid'])('may be named by %s', (name) => {
    expect(readVisitor(new URLSearchParams({ [name]: '7' }))).toEqual({ id: 7, email: undefined });
  });

  test.each(['email', 'e'])('may give the address as %s', (name) => {
    expect(readVisitor(new URLSearchParams({ [name]: 'reader@example.com' })).email).toBe('reader@example.com');
  });

  test('is named by the first parameter that holds an id', () => {
    expect(readVisitor(new URLSearchParams('id=abc&userId=8&uid=9')).id).toBe(8);
  });

  test.each(['Call 555-0100 to claim your prize', 'missing-at.example.com', 'a@b.co\0', 'a@x.example,b@y.example'])(
    'has no address where the text is %j',
    (email) => {
      expect(readVisitor(new URLSearchParams({ email })).email).toBeUndefined();
    },
  );

  test('has the address that is stored, not the one with a trailing dot', () => {
    expect(readVisitor(new URLSearchParams({ e: 'reader@Example.com.' })).email).toBe('reader@example.com');
  });
});

test('the pages of the journey hand the visitor on', () => {
  const visitor = { id: 7, email: 'first+tag@example.com' };
  expect(thankYouAddress(visitor)).toBe('/thank-you?id=7&email=first%2Btag%40example.com');
  expect(offerPickerAddress({ id: 7, email: undefined })).toBe('/continue-registration?id=7');
  expect(thankYouAddress({ id: undefined, email: undefined })).toBe('/thank-you');
});

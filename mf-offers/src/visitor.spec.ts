import { expect, test } from '@jest/globals';
import { offerPickerUrl, parseRegistrationId, readVisitor, thankYouUrl } from './visitor.ts';

test.each([
  ['1', 1],
  ['007', 7],
  ['281474976710655', 2 ** 48 - 1],
  ...[null, '', '12abc', '1.5', '-3', '0', '1e3', '99999999999999999999'].map((text): [string | null, undefined] => [
    text,
    undefined,
  ]),
])('%p is the registration id %p', (text, id) => {
  expect(parseRegistrationId(text)).toBe(id);
});

const [id, email] = [7, 'reader@example.com'];
test.each([
  ['id=7', { id }],
  ['uid=7', { id }],
  ['id=abc&userId=7&uid=9', { id }],
  ['email=reader%40example.com', { email }],
  ['e=reader%40example.com', { email }],
  ...['Call 555-0100 to claim your prize', 'a@x.example,b@y.example'].map((text): [string, object] => [
    `email=${encodeURIComponent(text)}`,
    {},
  ]),
  ['email=%20reader%40Example.com', { email }],
])('the query %p of /thank-you names the visitor %j', (query, visitor) => {
  expect(readVisitor(new URLSearchParams(query))).toEqual({ id: undefined, email: undefined, ...visitor });
});

test('the pages of the journey pass the visitor on', () => {
  const visitor = { id: 7, email: 'first+tag@example.com' };
  expect(thankYouUrl(visitor)).toBe('/thank-you?id=7&email=first%2Btag%40example.com');
  expect(offerPickerUrl({ id: 7, email: undefined })).toBe('/continue-registration?id=7');
  expect(thankYouUrl({ id: undefined, email: undefined })).toBe('/thank-you');
});

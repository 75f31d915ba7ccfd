import { emailAddressSchema } from '@daybook/contract';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { withoutAddresses } from './without-addresses.ts';

test.each([
  ['Key (email)=(ada.l+news@mail.example.com) already exists', 'Key (email)=([address]) already exists'],
  ['GET /x?email=ada%40example.com&y=1', 'GET /[address]&y=1'],
  ['leser@münchen.de unsubscribed', '[address] unsubscribed'],
  ['?email=leser%40m%C3%BCnchen.de', '[address]'],
  ['Sent to ädä@intranet.', 'Sent to [address].'],
  ['at node_modules/@nestjs/core/router.js', 'at node_modules/@nestjs/core/router.js'],
])('%s is logged as %s', (text, logged) => {
  expect(withoutAddresses(text)).toBe(logged);
});

test('no address that can sign up stays in a line, as it is or in a URL', () => {
  // A slash divides paths, so what stands before the last one of a local part stays.
  const address = fc
    .oneof(
      fc.emailAddress(),
      fc.domain().map((domain) => `reader@${domain}`),
    )
    .filter((text) => !text.includes('/') && emailAddressSchema.safeParse(text).success);
  fc.assert(
    fc.property(address, fc.constantFrom('', 'é', ' ', '"', ')'), (text, after) => {
      const quoted = [text, encodeURIComponent(text)].map((each) =>
        withoutAddresses(JSON.stringify(`to ${each}${after}`)),
      );
      expect(quoted.map((line) => /@|%40/.test(line))).toEqual([false, false]);
    }),
  );
});

test('a long line is searched once, not once for each of its characters', () => {
  const hostile = [
    `${'a'.repeat(1_000_000)} @`,
    `${'%40'.repeat(300_000)}`,
    'a@'.repeat(500_000),
    `a@${'a.'.repeat(500_000)}@`,
  ];
  // Quadratic, each would take minutes.
  for (const line of hostile) expect(withoutAddresses(line).length).toBeLessThanOrEqual(line.length * 10);
});

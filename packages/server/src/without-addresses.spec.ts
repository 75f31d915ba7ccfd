import { expect, test } from '@jest/globals';
import { withoutAddresses } from './without-addresses.ts';

test.each([
  ['Key (email)=(ada.l+news@mail.example.com) already exists', 'Key (email)=([address]) already exists'],
  ['GET /x?email=ada%40example.com&y=1', 'GET /[address]&y=1'],
  ['at node_modules/@nestjs/core/router.js', 'at node_modules/@nestjs/core/router.js'],
])('%s is logged as %s', (text, logged) => {
  expect(withoutAddresses(text)).toBe(logged);
});

import { expect, test } from '@jest/globals';
import { leadingZeroBits } from './proof-of-work.ts';

test.each([
  [[0x80, 0], 0],
  [[0x7f], 1],
  [[0x01, 0xff], 7],
  [[0, 0x10], 11],
  [[0, 0], 16],
])('%j begins with %p zero bits', (bytes, bits) => {
  expect(leadingZeroBits(Uint8Array.from(bytes))).toBe(bits);
});

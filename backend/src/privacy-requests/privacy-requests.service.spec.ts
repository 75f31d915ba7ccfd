import { referenceNumberSchema } from '@daybook/contract/api';
import { expect, test } from '@jest/globals';
import { newReferenceNumber } from './privacy-requests.service.ts';

const many = Array.from({ length: 5_000 }, newReferenceNumber);

test('a reference number has three groups of four digits without ambiguous characters', () => {
  for (const number of many) expect(referenceNumberSchema.parse(number)).toBe(number);
});

test('reference numbers are unique, and every digit occurs at every position', () => {
  expect(new Set(many).size).toBe(many.length);
  for (let place = 0; place < 14; place += 1) {
    expect(new Set(many.map((number) => number[place])).size).toBe(place % 5 === 4 ? 1 : 32);
  }
});

import { referenceNumberSchema } from '@daybook/contract';
import { expect, test } from '@jest/globals';
import { newReferenceNumber } from './privacy-requests.service.ts';

const many = Array.from({ length: 5_000 }, newReferenceNumber);

test('a reference number is three groups of four digits that are not taken for others', () => {
  for (const number of many) expect(referenceNumberSchema.parse(number)).toBe(number);
});

test('no two are the same, and every digit comes at every place', () => {
  expect(new Set(many).size).toBe(many.length);
  for (let place = 0; place < 14; place += 1) {
    expect(new Set(many.map((number) => number[place])).size).toBe(place % 5 === 4 ? 1 : 32);
  }
});

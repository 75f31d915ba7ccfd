import { referenceNumberSchema } from '@daybook/contract/api';
import { expect, test } from '@jest/globals';
import { newReferenceNumber } from './privacy-requests.service.ts';

test('reference numbers are valid and unique, and every digit occurs at every position', () => {
  const many = Array.from({ length: 5_000 }, newReferenceNumber);
  for (const number of many) expect(referenceNumberSchema.parse(number)).toBe(number);
  expect(new Set(many).size).toBe(many.length);
  for (let place = 0; place < 14; place += 1)
    expect(new Set(many.map((number) => number[place])).size).toBe(place % 5 === 4 ? 1 : 32);
});

import { expect, test } from '@jest/globals';
import { median, quantile, slope } from './statistics.ts';

test('the median of an odd number of values is the middle one, in whatever order they come', () => {
  expect(median([10, 9, 1])).toBe(9);
});

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([1, 2, 4, 100])).toBe(3);
});

test('a quantile falls on a value, or between two', () => {
  const values = Array.from({ length: 101 }, (_, index) => 100 - index);
  expect(quantile(values, 0.99)).toBe(99);
  expect(quantile([0, 10], 0.25)).toBe(2.5);
  expect(quantile([7], 0.99)).toBe(7);
});

test('values are compared as numbers, and stay in the order in which they were', () => {
  const values = [2, 10, 1];
  expect(quantile(values, 1)).toBe(10);
  expect(values).toEqual([2, 10, 1]);
});

test('no values have no median', () => {
  expect(() => median([])).toThrow(RangeError);
});

test('the slope is that of the nearest line', () => {
  const growing = [0, 1, 2, 3].map((x) => [x, 5 + 2 * x] as const);
  expect(slope(growing)).toBeCloseTo(2);
  expect(slope([...growing, [1.5, 100]])).toBeCloseTo(2);
  expect(slope([[1, 1]])).toBe(0);
});

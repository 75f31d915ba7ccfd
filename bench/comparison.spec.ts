import { expect, test } from '@jest/globals';
import { summarise } from './comparison.ts';

test('a ratio is that of a round, for what disturbs one contestant disturbs the other', () => {
  const rounds = [
    { ours: { speed: 80 }, base: { speed: 100 } },
    { ours: { speed: 8 }, base: { speed: 10 } },
    { ours: { speed: 70 }, base: { speed: 100 } },
  ];
  expect(summarise(rounds, 'ours', 'speed', 'base')).toEqual({
    value: 70,
    ratios: { ratio: 0.8, lowest: 0.7, highest: 0.8 },
  });
});

test('what was not measured in every round has no summary', () => {
  const rounds = [{ ours: { speed: 80 } }, { ours: {} }];
  expect(summarise(rounds, 'ours', 'speed', 'base')).toBeUndefined();
  expect(summarise([], 'ours', 'speed', 'base')).toBeUndefined();
});

test('where the baseline was not measured, or is nothing, there is a value without a ratio', () => {
  expect(summarise([{ ours: { speed: 80 }, base: {} }], 'ours', 'speed', 'base')).toEqual({ value: 80 });
  expect(summarise([{ ours: { shift: 0 }, base: { shift: 0 } }], 'ours', 'shift', 'base')).toEqual({ value: 0 });
});

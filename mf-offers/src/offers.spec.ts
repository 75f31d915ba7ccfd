import { offerIds } from '@daybook/contract/site';
import { describe, expect, test } from '@jest/globals';
import { offers, rememberOffersAnswered, wereOffersAnswered } from './offers.ts';

describe('the offers', () => {
  test('are the four fixed ones, by priority', () => {
    expect(offers.map(({ id, priority }) => [id, priority])).toEqual([
      ['grocery', 1],
      ['vivint', 2],
      ['audien', 3],
      ['tmobile', 4],
    ]);
    expect(offers).toHaveLength(offerIds.length);
  });

  test.each([
    ['grocery', /food benefits guide/],
    ['vivint', /\$150.*home security/],
    ['audien', /free hearing test.*\$799/i],
    ['tmobile', /free \$200 gift card with internet/i],
  ])('%s promises the figures of the sponsor', (id, promise) => {
    expect(offers.find((offer) => offer.id === id)?.title).toMatch(promise);
  });
});

test('the browser session remembers for which registration the offers were answered', () => {
  rememberOffersAnswered(7);
  expect(wereOffersAnswered(7)).toBe(true);
  expect(wereOffersAnswered(8)).toBe(false);
});

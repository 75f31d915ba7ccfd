import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { offers, rememberOffersAnswered, wereOffersAnswered } from './offers.ts';

describe('the offers', () => {
  test('are the four fixed ones, by priority', () => {
    expect(offers.map(({ id, priority }) => [id, priority])).toEqual([
      ['grocery', 1],
      ['vivint', 2],
      ['audien', 3],
      ['tmobile', 4],
    ]);
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

describe('the storage of the browser session', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    sessionStorage.clear();
  });

  test('may contain anything: only the answer of this registration counts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.constantFrom('7 ', '07', '7.0', '[7]')), (stored) => {
        sessionStorage.setItem('answeredOffersOf', stored);
        expect(wereOffersAnswered(7)).toBe(stored === '7');
      }),
    );
  });

  test.each<[string, () => unknown]>([
    [
      'throws on access',
      () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    ],
    ['is missing', () => undefined],
    ['is null', () => null],
    ['has no functions', () => ({})],
    ['returns promises', () => ({ getItem: async () => '7', setItem: async () => undefined })],
  ])('is not necessary: %s', (_what, get) => {
    jest.spyOn(console, 'warn').mockReturnValue();
    const storage = jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(get as () => Storage);
    rememberOffersAnswered(7);
    expect(wereOffersAnswered(7)).toBe(false);
    storage.mockRestore();
  });
});

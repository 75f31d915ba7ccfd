import { defaultSiteSettings } from '@daybook/contract/site';
import { afterEach, expect, jest, test } from '@jest/globals';
import { offers, rememberOffersAnswered, wereOffersAnswered } from './offers.ts';

afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
});

test('the offers begin with the four fixed ones, by priority', () => {
  expect(offers.map(({ id, priority, title }) => [id, priority, title]).slice(0, 4)).toEqual([
    ['grocery', 1, expect.stringMatching(/food benefits guide/)],
    ['vivint', 2, expect.stringMatching(/\$150.*home security/)],
    ['audien', 3, expect.stringMatching(/free hearing test.*\$799/i)],
    ['tmobile', 4, expect.stringMatching(/free \$200 gift card with internet/i)],
  ]);
  for (const { id, url } of offers) expect(url).toBe(defaultSiteSettings.sponsorAddresses[id]);
});

test('the session remembers for which registration the offers were answered', () => {
  rememberOffersAnswered(7);
  expect([7, 8].map(wereOffersAnswered)).toEqual([true, false]);
});

test('the storage of the browser session is not necessary', () => {
  jest.spyOn(console, 'warn').mockReturnValue();
  jest.spyOn(window, 'sessionStorage', 'get').mockReturnValue(undefined as never);
  rememberOffersAnswered(7);
  expect(wereOffersAnswered(7)).toBe(false);
});

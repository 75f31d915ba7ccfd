import { defaultSiteSettings } from '@daybook/contract/site';
import { brokenStorages } from '@daybook/testing/broken-storages';
import { afterEach, expect, jest, test } from '@jest/globals';
import { availableOffers, offers, rememberOffersAnswered, wereOffersAnswered } from './offers.ts';

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

test('an offer whose URL the site does not have is not available', () => {
  const { audien: _, ...sponsorAddresses } = defaultSiteSettings.sponsorAddresses;
  const known = { ...sponsorAddresses, grocery: '' };
  const available = availableOffers({ ...defaultSiteSettings, sponsorAddresses: known });
  expect(available.slice(0, 2)).toMatchObject([
    { id: 'vivint', url: known.vivint },
    { id: 'tmobile', url: known.tmobile },
  ]);
});

test('the session remembers for which registration the offers were answered', () => {
  rememberOffersAnswered(7);
  expect([7, 8].map(wereOffersAnswered)).toEqual([true, false]);
});

test.each(brokenStorages)('the storage of the browser session is not necessary: it %s', (_what, get) => {
  jest.spyOn(console, 'warn').mockReturnValue();
  const storage = jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(get);
  rememberOffersAnswered(7);
  expect(wereOffersAnswered(7)).toBe(false);
  storage.mockRestore();
});

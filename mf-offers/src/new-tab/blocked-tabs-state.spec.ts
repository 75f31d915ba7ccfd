import { describe, expect, test } from '@jest/globals';
import { readBlockedTabs } from './blocked-tabs-state.ts';

describe('the blocked tabs in a history entry', () => {
  test('are offers in order of priority', () => {
    expect(readBlockedTabs({ blockedOffers: ['tmobile', 'vivint'] }).offers).toEqual(['vivint', 'tmobile']);
  });

  test('are none where all offers opened', () => {
    expect(readBlockedTabs({ blockedOffers: [] })).toEqual({ offers: [], address: undefined });
  });

  test('leave out what is no offer', () => {
    expect(readBlockedTabs({ blockedOffers: ['vivint', 'yacht', 3] }).offers).toEqual(['vivint']);
  });

  test('are an address, where it is one to open', () => {
    expect(readBlockedTabs({ blockedAddress: 'https://sponsor.example/offer' })).toEqual({
      offers: undefined,
      address: { href: 'https://sponsor.example/offer', host: 'sponsor.example' },
    });
    expect(readBlockedTabs({ blockedAddress: 'javascript:alert(1)' }).address).toBeUndefined();
  });

  test.each([null, undefined, 'text', 7, {}, { blockedOffers: 'vivint', blockedAddress: ['https://a.example'] }])(
    'are not there in %p',
    (state) => {
      expect(readBlockedTabs(state)).toEqual({ offers: undefined, address: undefined });
    },
  );
});

import { describe, expect, test } from '@jest/globals';
import { clientInfoOf, truncateNetworkAddress } from './client-info.ts';

describe('a network address', () => {
  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['::FFFF:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::6', '2001:db8:0::/48'],
    ['2001:db8:1:2::', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['::', '0:0:0::/48'],
    ['64:ff9b::203.0.113.77', '64:ff9b:0::/48'],
    ['203.0.113.77:443', '203.0.113.0/24'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
  ])('%s is kept as %s', (address, kept) => {
    expect(truncateNetworkAddress(address)).toBe(kept);
  });

  test.each(['', 'unknown', '203.0.113', '203.0.113.77:x', '[2001:db8::1', "1.2.3.4'--"])('%s is not kept', (text) => {
    expect(truncateNetworkAddress(text)).toBeNull();
  });
});

describe('the client details of a request', () => {
  test('are null where the request says nothing', () => {
    expect(clientInfoOf({ headers: {}, ip: '' })).toEqual({ userAgent: null, language: null, networkAddress: null });
  });

  test.each([
    ['en-US,en;q=0.9', 'en-US'],
    ['fr;q=0.5', 'fr'],
    ['*', '*'],
    ['', null],
  ])('have of the languages %s the first', (header, language) => {
    expect(clientInfoOf({ headers: { 'accept-language': header }, ip: '::1' })).toMatchObject({ language });
  });
});

import { describe, expect, test } from '@jest/globals';
import { clientInfoOf } from './client-info.ts';

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

  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['::1', '::/48'],
    ['unknown', null],
    ["1.2.3.4'--", null],
  ])('have of the address %s the network %s', (ip, networkAddress) => {
    expect(clientInfoOf({ headers: {}, ip })).toMatchObject({ networkAddress });
  });
});

import { isIP } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { customerNetworkOf, networkOf, truncateAddress } from './client-network.ts';

describe('the network of a client', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7/32'],
    ['::ffff:192.0.2.7', '192.0.2.7/32'],
    ['::ffff:c000:207', '192.0.2.7/32'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1::5', '2001:db8:1::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['192.0.2.7:50123', '192.0.2.7/32'],
    ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
  ])('with the address %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test.each(['', 'unknown', '0x7f.1', '010.0.0.1', '192.0.2.7:x', '[::1', "1.2.3.4'--"])(
    'with the text %j is unknown',
    (text) => {
      expect(networkOf(text)).toBe('unknown');
    },
  );

  test('is an IPv4 address, 64 bits of an IPv6 address or unknown, whatever a forwarding header contains', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[\d.:%[\]a-f/]*$/),
      fc.ipV4Extended(),
      fc.ipV6(),
    );
    fc.assert(
      fc.property(text, (address) => {
        const [network = '', bits] = networkOf(address).split('/');
        expect([`${isIP(network)}`, bits]).toEqual(
          bits === undefined ? ['0', undefined] : bits === '32' ? ['4', '32'] : ['6', '64'],
        );
        if (bits === undefined) expect(network).toBe('unknown');
      }),
    );
  });

  test('is the same for each spelling of an address, with a port or without', () => {
    // The library reads `::192.0.2.7` as IPv4: a notation that was deprecated before IPv6 was in use.
    const ipv6 = fc.ipV6().filter((address) => !/^::\d+\./.test(address));
    fc.assert(
      fc.property(ipv6, fc.nat(65_535), (address, port) => {
        const canonical = new URL(`http://[${address}]`).hostname;
        const spellings = [address, address.toUpperCase(), canonical, `${canonical}:${port}`, `${address}%eth0`];
        expect(new Set(spellings.map(networkOf)).size).toBe(1);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(65_535), (address, port) => {
        const spellings = [address, `${address}:${port}`, `::ffff:${address}`, `[::FFFF:${address}]:${port}`];
        expect(new Set(spellings.map(networkOf))).toEqual(new Set([`${address}/32`]));
      }),
    );
  });

  test('is shared only by the addresses of one IPv6 network', () => {
    const group = fc.nat(0xffff);
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.nat(127), (groups, bit) => {
        fc.pre(groups.slice(0, 5).some((each) => each !== 0));
        const spell = (each: readonly number[]) => each.map((value) => value.toString(16)).join(':');
        const flipped = groups.map((value, index) => (index === bit >> 4 ? value ^ (1 << (15 - (bit & 15))) : value));
        fc.pre(flipped.slice(0, 5).some((each) => each !== 0));
        expect(networkOf(spell(flipped)) === networkOf(spell(groups))).toBe(bit >= 64);
      }),
    );
  });
});

test.each([
  ['192.0.2.7', '192.0.2.7/32'],
  ['::ffff:192.0.2.7', '192.0.2.7/32'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['[2001:db8:1:ffff::1]:443', '2001:db8:1::/48'],
  ['', 'unknown'],
])("the network of the address's customer, %s, is %s", (address, network) => {
  expect(customerNetworkOf(address)).toBe(network);
});

test("an address is truncated to the caller's prefix length", () => {
  const bits = { ipv4: 24, ipv6: 48 };
  expect(truncateAddress('203.0.113.77:443', bits)).toBe('203.0.113.0/24');
  expect(truncateAddress('2001:db8:1:2::1', bits)).toBe('2001:db8:1::/48');
  expect(truncateAddress('unknown', bits)).toBeUndefined();
});

import { isIP } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { customerNetworkOf, networkOf } from './ip-network.ts';

describe('the network of a client and that of its customer', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7/32', '192.0.2.7/32'],
    ['::ffff:192.0.2.7', '192.0.2.7/32', '192.0.2.7/32'],
    ['::ffff:c000:207', '192.0.2.7/32', '192.0.2.7/32'],
    ['192.0.2.7:50123', '192.0.2.7/32', '192.0.2.7/32'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1::5', '2001:db8:1::/64', '2001:db8:1::/48'],
    ['[2001:db8:1:ffff::1]:443', '2001:db8:1:ffff::/64', '2001:db8:1::/48'],
    ['64:ff9b::192.0.2.7', '64:ff9b::/64', '64:ff9b::/48'],
    ['::1', '::/64', '::/48'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
    ['', 'unknown', 'unknown'],
    ['unknown', 'unknown', 'unknown'],
    ['0x7f.1', 'unknown', 'unknown'],
    ['010.0.0.1', 'unknown', 'unknown'],
    ['192.0.2.7:x', 'unknown', 'unknown'],
    ['[::1', 'unknown', 'unknown'],
    ["1.2.3.4'--", 'unknown', 'unknown'],
  ])('with the ip %j are %s and %s', (ip, network, customer) => {
    expect([networkOf(ip), customerNetworkOf(ip)]).toEqual([network, customer]);
  });

  test('are an IPv4, 64 bits of an IPv6 or unknown, whatever a forwarding header contains', () => {
    const hostile = [fc.string({ unit: 'binary' }), fc.stringMatching(/^[\d.:%[\]a-f/]*$/)];
    fc.assert(
      fc.property(fc.oneof(...hostile, fc.ipV4Extended(), fc.ipV6()), (ip) => {
        const [network = '', bits] = networkOf(ip).split('/');
        if (bits === undefined) expect(network).toBe('unknown');
        else expect([isIP(network), bits]).toEqual(bits === '32' ? [4, '32'] : [6, '64']);
      }),
    );
  });

  test('are the same for each spelling of an IP, with a port or without', () => {
    // The library reads `::192.0.2.7` as IPv4: a notation that was deprecated before IPv6 was in use.
    const ipv6 = fc.ipV6().filter((ip) => !/^::\d+\./.test(ip));
    fc.assert(
      fc.property(ipv6, fc.ipV4(), fc.nat(65_535), (ip, v4, port) => {
        const canonical = new URL(`http://[${ip}]`).hostname;
        const spellings = [ip, ip.toUpperCase(), canonical, `${canonical}:${port}`, `${ip}%eth0`];
        expect(new Set(spellings.map(networkOf)).size).toBe(1);
        const ofV4 = [v4, `${v4}:${port}`, `::ffff:${v4}`, `[::FFFF:${v4}]:${port}`];
        expect(new Set(ofV4.map(networkOf))).toEqual(new Set([`${v4}/32`]));
      }),
    );
  });

  test('are shared only by the IPs of one IPv6 network', () => {
    const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, fc.nat(127), (one, bit) => {
        const other = one.map((value, index) => (index === bit >> 4 ? value ^ (1 << (15 - (bit & 15))) : value));
        // Neither may be IPv4 in IPv6 notation.
        for (const each of [one, other]) fc.pre(each.slice(0, 5).some((value) => value !== 0));
        const spell = (each: readonly number[]) => each.map((value) => value.toString(16)).join(':');
        expect(networkOf(spell(one)) === networkOf(spell(other))).toBe(bit >= 64);
      }),
    );
  });
});

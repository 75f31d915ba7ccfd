import { expect, test } from '@jest/globals';
import { customerNetworkOf, networkOf } from './ip-network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7/32', '192.0.2.7/32'],
  ['::ffff:c000:207', '192.0.2.7/32', '192.0.2.7/32'],
  ['192.0.2.7:50123', '192.0.2.7/32', '192.0.2.7/32'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['[2001:db8:1:ffff::1]:443', '2001:db8:1:ffff::/64', '2001:db8:1::/48'],
  ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
  ['', 'unknown', 'unknown'],
  ['0x7f.1', 'unknown', 'unknown'],
  ["1.2.3.4'--", 'unknown', 'unknown'],
])('with the ip %j the network is %s, and that of the customer %s', (ip, network, customer) => {
  expect([networkOf(ip), customerNetworkOf(ip)]).toEqual([network, customer]);
});

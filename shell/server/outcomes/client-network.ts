import { isIPv6 } from 'node:net';

/**
 * The network that a client's address belongs to: an IPv4 address by itself, of an IPv6 address the first 64
 * bits, since a subscriber has all addresses below them.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - groups.length - rest.length }, () => '0');
  const whole = [...groups, ...zeros, ...rest].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${whole.join(':')}::/64`;
}

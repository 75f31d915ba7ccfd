import { isIPv6 } from 'node:net';

/** The eight groups of an IPv6 address; the URL parser writes every form of one alike, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail?.split(':').filter(Boolean) ?? [];
  return [...groups, ...Array.from({ length: 8 - groups.length - rest.length }, () => '0'), ...rest];
}

/** The IPv4 address that is written as an IPv6 one, as sockets do that take both; `undefined` for any other. */
function mappedAddress(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

/** Some proxies tell the client's port too: `192.0.2.7:443`, `[2001:db8::1]:443`. */
const addressWithPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

/** A client's address as a proxy tells it, without a port: each connection has another. */
export function withoutPort(address: string): string {
  const [, v4, v6] = addressWithPort.exec(address) ?? [];
  return v4 ?? v6 ?? address;
}

/**
 * The network that a client's address belongs to: an IPv4 address by itself, of an IPv6 address the first 64
 * bits, since a subscriber has all addresses below them.
 */
export function networkOf(address: string): string {
  const [plain = ''] = withoutPort(address).split('%');
  if (!isIPv6(plain)) return withoutPort(address);
  const groups = groupsOf(plain);
  return mappedAddress(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

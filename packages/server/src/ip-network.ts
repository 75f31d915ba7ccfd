import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Some proxies also report the client's port: `192.0.2.7:443`, `[2001:db8::1]:443`. */
const ipWithPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;

/**
 * Returns the network of a client's IP address in CIDR notation. IPv4 mapped into IPv6 is IPv4.
 *
 * @returns `undefined` for any other text: a forwarding header can contain anything
 */
export function truncateIp(text: string, { ipv4, ipv6 }: Record<'ipv4' | 'ipv6', number>): string | undefined {
  const [, v4, v6] = ipWithPort.exec(text) ?? [];
  const [ip = ''] = (v4 ?? v6 ?? text).split('%');
  // The library also accepts 127.1 and 0x7f000001, which no proxy writes.
  if (isIP(ip) === 0) return undefined;
  const parsed = ipaddr.process(ip);
  const bits = parsed instanceof ipaddr.IPv4 ? ipv4 : ipv6;
  const bytes = parsed
    .toByteArray()
    .map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - bits))));
  return `${ipaddr.fromByteArray(bytes)}/${bits}`;
}

/** Returns the network that rate limits count by: a device has all IPv6 addresses of a /64. */
export const networkOf = (ip: string | undefined): string => truncateIp(ip ?? '', { ipv4: 32, ipv6: 64 }) ?? 'unknown';

/** Returns the network of one customer of a provider, up to a /48. */
export const customerNetworkOf = (ip: string | undefined): string =>
  truncateIp(ip ?? '', { ipv4: 32, ipv6: 48 }) ?? 'unknown';

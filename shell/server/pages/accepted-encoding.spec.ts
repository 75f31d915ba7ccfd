import { expect, test } from '@jest/globals';
import { acceptedEncoding } from './accepted-encoding.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['identity', 'identity'],
  ['deflate', 'identity'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.1, gzip;q=1', 'br'],
  ['GZIP', 'gzip'],
  ['Br', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000, gzip;q=0.5', 'gzip'],
  ['br; q=0 , gzip ; q=1', 'gzip'],
  ['br;Q=0', 'identity'],
  ['br;q=0.01', 'br'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'identity'],
  ['*;q=0', 'identity'],
  ['brotli, x-gzip', 'identity'],
  [['gzip', 'br'], 'br'],
])('a browser that accepts %p gets %p', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { precompress } from './precompress.ts';

const long = Buffer.from('the money morning, in five minutes\n'.repeat(100));

test('a file decompresses to its original content', async () => {
  const compressed = await precompress('main.js', long);
  expect([...compressed.keys()]).toEqual(['.br', '.gz']);
  expect(brotliDecompressSync(compressed.get('.br') ?? '')).toEqual(long);
  expect(gunzipSync(compressed.get('.gz') ?? '')).toEqual(long);
  for (const content of compressed.values()) expect(content.length).toBeLessThan(200);
});

test.each([
  ['main.js', 1023],
  ['serif.woff2', 2000],
])('%s of %d bytes is not compressed', async (name, size) => {
  expect((await precompress(name, long.subarray(0, size))).size).toBe(0);
});

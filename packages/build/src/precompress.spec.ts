import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { precompress } from './precompress.ts';

const long = Buffer.from('the money morning, in five minutes\n'.repeat(100));

describe('precompressing a file', () => {
  test.each(['main.js', 'main.css', 'logo.svg', 'release.json'])(
    '%s decompresses to its original content',
    async (name) => {
      const compressed = await precompress(name, long);
      expect([...compressed.keys()]).toEqual(['.br', '.gz']);
      expect(brotliDecompressSync(compressed.get('.br') ?? '')).toEqual(long);
      expect(gunzipSync(compressed.get('.gz') ?? '')).toEqual(long);
      for (const content of compressed.values()) expect(content.length).toBeLessThan(200);
    },
  );

  test('skips files under 1024 bytes', async () => {
    expect((await precompress('main.js', long.subarray(0, 1023))).size).toBe(0);
    expect((await precompress('main.js', long.subarray(0, 1024))).size).toBe(2);
  });

  test.each(['serif.woff2', 'main.js.map', 'LICENSE'])('skips %s', async (name) => {
    expect((await precompress(name, long)).size).toBe(0);
  });
});

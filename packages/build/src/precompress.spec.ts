import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { precompress } from './precompress.ts';

const long = Buffer.from('the money morning, in five minutes\n'.repeat(100));

describe('compressing a file ahead of time', () => {
  test.each(['main.js', 'main.css', 'logo.svg', 'release.json'])('%s comes out as it went in', async (name) => {
    const compressed = await precompress(name, long);
    expect([...compressed.keys()]).toEqual(['.br', '.gz']);
    expect(brotliDecompressSync(compressed.get('.br') ?? '')).toEqual(long);
    expect(gunzipSync(compressed.get('.gz') ?? '')).toEqual(long);
  });

  test('makes it smaller', async () => {
    for (const content of (await precompress('main.js', long)).values()) expect(content.length).toBeLessThan(200);
  });

  test('gives the same bytes each time', async () => {
    expect(await precompress('main.js', long)).toEqual(await precompress('main.js', long));
  });

  test('leaves out what is under 1024 bytes', async () => {
    expect((await precompress('main.js', long.subarray(0, 1023))).size).toBe(0);
    expect((await precompress('main.js', long.subarray(0, 1024))).size).toBe(2);
  });

  test.each(['serif.woff2', 'guide.pdf', 'photo.webp', 'main.js.map', 'LICENSE'])('leaves out %s', async (name) => {
    expect((await precompress(name, long)).size).toBe(0);
  });
});

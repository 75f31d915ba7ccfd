import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Compress, PageBody, PageCompressor } from './page-body.ts';

/** Compressions that have begun and not ended, by content and effort; each ends when the test says so. */
const begun = new Map<string, PromiseWithResolvers<Buffer>>();
const compress = jest.fn<Compress>((content, _encoding, effort) => {
  const compressed = Promise.withResolvers<Buffer>();
  begun.set(`${content} ${effort}`, compressed);
  return compressed.promise;
});

let compressor: PageCompressor;
beforeEach(() => {
  begun.clear();
  compress.mockClear();
  compressor = new PageCompressor(compress);
});

const settle = () => new Promise((resolve) => setImmediate(resolve));
async function end(name: string, how: 'succeeds' | 'fails' = 'succeeds') {
  if (how === 'succeeds') begun.get(name)?.resolve(Buffer.from(`compressed: ${name}`));
  else begun.get(name)?.reject(new Error('out of memory'));
  begun.delete(name);
  await settle();
}
const bodyOf = (content: string) => new PageBody(Buffer.from(content), compressor);
const textIn = async (body: PageBody) => String((await body.in('br')).content);

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a body in %s is the page', async (encoding, decompress) => {
  const body = new PageBody(Buffer.from('<p>home</p>'), new PageCompressor());
  const compressed = await body.in(encoding);
  expect([compressed.encoding, String(decompress(compressed.content))]).toEqual([encoding, '<p>home</p>']);
  expect(String((await body.in('identity')).content)).toBe('<p>home</p>');
});

test('a page is compressed quickly for its first requests, then well, once each', async () => {
  const body = bodyOf('page');
  const first = Promise.all([textIn(body), textIn(body)]);
  await end('page quick');
  expect(await first).toEqual(Array(2).fill('compressed: page quick'));
  expect(await textIn(body)).toBe('compressed: page quick');
  await end('page best');
  expect(await textIn(body)).toBe('compressed: page best');
  expect(compress).toHaveBeenCalledTimes(2);
  await bodyOf('unread').in('identity');
  expect(compress).toHaveBeenCalledTimes(2);
});

test('ten large pages are compressed one at a time, and others before those that wait', async () => {
  const large = Array.from({ length: 10 }, (_, index) => `large page ${index}`);
  const responses = large.map((name) => textIn(bodyOf(name)));
  await settle();
  expect([...begun.keys()]).toEqual(['large page 0 quick']);
  const small = textIn(bodyOf('small'));
  await end('large page 0 quick');
  // The first one is served, and compressed well beside the next ones.
  expect(await responses[0]).toBe('compressed: large page 0 quick');
  expect([...begun.keys()].sort()).toEqual(['large page 0 best', 'small quick']);
  await end('small quick');
  expect(await small).toBe('compressed: small quick');
  for (const name of large.slice(1)) {
    expect(begun.size).toBe(2);
    await end(`${name} quick`);
  }
  await Promise.all(responses);
  const order = [];
  for (let [name] = begun.keys(); name !== undefined; [name] = begun.keys()) {
    expect(begun.size).toBe(1);
    order.push(name);
    await end(name);
  }
  expect(order).toEqual(['large page 0', 'small', ...large.slice(1)].map((name) => `${name} best`));
});

describe('a page that cannot be compressed', () => {
  test('is served as it is, and compressed for the next request', async () => {
    const body = bodyOf('page');
    const response = body.in('br');
    await end('page quick', 'fails');
    expect(await response).toEqual({ encoding: 'identity', content: Buffer.from('page') });
    const next = textIn(body);
    await end('page quick');
    expect(await next).toBe('compressed: page quick');
  });

  test('well is served as it was compressed quickly, and delays no other', async () => {
    const [body, other] = [bodyOf('page'), bodyOf('other page')];
    const responses = [textIn(body), textIn(other)];
    await end('page quick');
    await end('other page quick');
    await Promise.all(responses);
    await end('page best', 'fails');
    await end('other page best');
    expect(await textIn(body)).toBe('compressed: page quick');
    expect(await textIn(other)).toBe('compressed: other page best');
  });
});

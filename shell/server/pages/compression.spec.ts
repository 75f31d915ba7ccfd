import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Compress, PageBody } from './compression.ts';

/** Compressions that have begun and not ended, by content and effort; each ends when the test says so. */
const begun = new Map<string, PromiseWithResolvers<Buffer>>();
const compress = jest.fn<Compress>((content, _encoding, effort) => {
  const compressed = Promise.withResolvers<Buffer>();
  begun.set(`${content} ${effort}`, compressed);
  return compressed.promise;
});
beforeEach(() => {
  compress.mockClear();
});
// The queue is one of the process.
afterEach(async () => {
  for (let times = 0; times < 20; times += 1) {
    for (const name of begun.keys()) await end(name);
    await new Promise(setImmediate);
  }
});

async function end(name: string, how: 'succeeds' | 'fails' = 'succeeds') {
  const compressed = await eventually(() => begun.get(name) ?? Promise.reject(new Error(`${name} has not begun`)));
  begun.delete(name);
  if (how === 'succeeds') compressed.resolve(Buffer.from(`compressed: ${name}`));
  else compressed.reject(new Error('out of memory'));
  await new Promise(setImmediate);
}
const bodyOf = (content: string) => new PageBody(Buffer.from(content), compress);
const textIn = async (body: PageBody) => String((await body.in('br')).content);

test('a page is compressed quickly for its first requests, then well, once each', async () => {
  const body = bodyOf('page');
  const first = Promise.all([textIn(body), textIn(body)]);
  await end('page quick');
  expect([...(await first), await textIn(body)]).toEqual(Array(3).fill('compressed: page quick'));
  await end('page best');
  expect(await textIn(body)).toBe('compressed: page best');
  expect(compress).toHaveBeenCalledTimes(2);
});

test('pages are compressed well one at a time', async () => {
  const names = ['one', 'two', 'three'];
  const responses = names.map((name) => textIn(bodyOf(name)));
  for (const name of names) await end(`${name} quick`);
  await Promise.all(responses);
  for (const name of names) {
    await eventually(() => expect([...begun.keys()]).toEqual([`${name} best`]));
    await end(`${name} best`);
  }
});

test('a page that can’t be compressed is served as it is, and tried again', async () => {
  const body = bodyOf('page');
  const response = body.in('br');
  await end('page quick', 'fails');
  expect(await response).toEqual({ encoding: 'identity', content: Buffer.from('page') });
  const next = textIn(body);
  await end('page quick');
  expect(await next).toBe('compressed: page quick');
});

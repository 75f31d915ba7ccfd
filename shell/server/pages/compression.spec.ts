import { eventually } from '@daybook/testing/eventually';
import { expect, jest, test } from '@jest/globals';
import { type Compress, PageBody } from './compression.ts';

/** Number of pages that are being compressed well. */
let atOnce = 0;
const counts: number[] = [];
const compress = jest.fn<Compress>(async (content, _encoding, effort) => {
  const isBest = Number(effort === 'best');
  atOnce += isBest;
  if (isBest) counts.push(atOnce);
  await new Promise(setImmediate);
  atOnce -= isBest;
  return Buffer.from(`${effort}: ${content}`);
});
const bodyOf = (content: string) => new PageBody(Buffer.from(content), compress);
const textIn = async (body: PageBody) => String((await body.in('br')).content);

test('pages are compressed quickly for their first requests, then well, one at a time', async () => {
  const bodies = ['one', 'two', 'three'].map(bodyOf);
  const first = await Promise.all([...bodies, ...bodies].map(textIn));
  expect(first.slice(3)).toEqual(['quick: one', 'quick: two', 'quick: three']);
  const best = ['best: one', 'best: two', 'best: three'];
  await eventually(async () => expect(await Promise.all(bodies.map(textIn))).toEqual(best));
  expect([compress.mock.calls.length, counts]).toEqual([6, [1, 1, 1]]);
});

test('a page that can’t be compressed is served as it is, and tried again', async () => {
  const body = bodyOf('page');
  compress.mockRejectedValueOnce(new Error('out of memory'));
  expect(await body.in('br')).toEqual({ encoding: 'identity', content: Buffer.from('page') });
  expect(await textIn(body)).toBe('quick: page');
});

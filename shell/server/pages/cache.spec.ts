import type { RemoteIndex } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { expect, jest, test } from '@jest/globals';
import { PageCache } from './cache.ts';
import type { Document } from './document.ts';

const index: RemoteIndex = { remotes: [], missing: [] };
const manifest = { version: '1.0.0-00000001' } as ShellManifest;

const document = (html: string, isFallback = false) =>
  jest.fn(async (): Promise<Document> => ({ html, policy: "default-src 'none'", isFallback }));

const cache = new PageCache();
const get = (render: () => Promise<Document>, path = '/terms', of = index, build = manifest) =>
  cache.get(path, of, build, render);
const textOf = async (render: () => Promise<Document>) =>
  String((await (await get(render)).body.in('identity')).content);

test('a page is rendered once for each index and build of the shell', async () => {
  const render = document('<p>home</p>');
  await Promise.all([get(render, '/'), get(render, '/')]);
  expect(render).toHaveBeenCalledTimes(1);
  for (let times = 0; times < 2; times += 1) await get(render, '/', { ...index });
  await get(render, '/', index, { ...manifest });
  expect(render).toHaveBeenCalledTimes(4);
});

test('a page is rendered again after a failure, a fallback after ten seconds', async () => {
  await expect(get(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  jest.useFakeTimers();
  expect(await textOf(document('fallback', true))).toBe('fallback');
  expect(await textOf(document('whole'))).toBe('fallback');
  jest.advanceTimersByTime(10_000);
  expect(await textOf(document('whole'))).toBe('whole');
  jest.useRealTimers();
});

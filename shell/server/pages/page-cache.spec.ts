import type { PublicRegistry } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Document } from './document.ts';
import { PageCache } from './page-cache.ts';

const registry: PublicRegistry = { remotes: [], missing: [] };
const manifest = { version: '1.0.0-00000001' } as ShellManifest;

const document = (html: string, isFallback = false) =>
  jest.fn(async (): Promise<Document> => ({ html, policy: "default-src 'none'", isFallback }));

let cache: PageCache;
beforeEach(() => {
  cache = new PageCache();
});
const get = (render: () => Promise<Document>, path = '/', of = registry, build = manifest) =>
  cache.get(path, of, build, render);
const textOf = async (render: () => Promise<Document>) => String((await get(render)).bodies.identity);

describe('the page cache', () => {
  test('renders a page once, also for concurrent requests', async () => {
    const render = document('<p>home</p>');
    const [first, second] = await Promise.all([get(render), get(render)]);
    expect(await get(render)).toBe(first);
    expect(second).toBe(first);
    expect(render).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['registry', { ...registry }, manifest],
    ['shell', registry, { ...manifest }],
  ])('renders all pages again after a change of the %s', async (_what, otherRegistry, otherManifest) => {
    const render = document('page');
    for (const path of ['/', '/terms']) {
      await get(render, path);
      await get(render, path, otherRegistry, otherManifest);
    }
    expect(render).toHaveBeenCalledTimes(4);
  });

  test('renders a page again after a failure', async () => {
    const broken = () => Promise.reject(new Error('broken'));
    await expect(get(broken)).rejects.toThrow('broken');
    expect(await textOf(document('whole'))).toBe('whole');
  });

  test('caches a fallback page for ten seconds', async () => {
    jest.useFakeTimers();
    expect(await textOf(document('fallback', true))).toBe('fallback');
    expect(await textOf(document('whole'))).toBe('fallback');
    jest.advanceTimersByTime(10_000);
    expect(await textOf(document('whole'))).toBe('whole');
    jest.useRealTimers();
  });
});

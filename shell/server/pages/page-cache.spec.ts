import type { PublicRegistry } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { describe, expect, jest, test } from '@jest/globals';
import type { Document } from './document.ts';
import { PageCache } from './page-cache.ts';

const registry: PublicRegistry = { remotes: [], missing: [] };
const manifest = { version: '1.0.0-00000001' } as ShellManifest;

const document =
  (html: string, changes: Partial<Document> = {}) =>
  async (): Promise<Document> => ({
    html,
    policy: "default-src 'none'",
    isFallback: false,
    ...changes,
  });

describe('the page cache', () => {
  test('renders a page once, also for concurrent requests', async () => {
    const cache = new PageCache();
    const render = jest.fn(document('<p>home</p>'));
    const [first, second] = await Promise.all([
      cache.get('/', registry, manifest, render),
      cache.get('/', registry, manifest, render),
    ]);
    expect(await cache.get('/', registry, manifest, render)).toBe(first);
    expect(second).toBe(first);
    expect(render).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['registry', { ...registry }, manifest],
    ['shell', registry, { ...manifest }],
  ])('renders all pages again after a change of the %s', async (_what, otherRegistry, otherManifest) => {
    const cache = new PageCache();
    const render = jest.fn(document('page'));
    for (const path of ['/', '/terms']) {
      await cache.get(path, registry, manifest, render);
      await cache.get(path, otherRegistry, otherManifest, render);
    }
    expect(render).toHaveBeenCalledTimes(4);
  });

  test('renders a page again after a failure', async () => {
    const cache = new PageCache();
    const broken = () => Promise.reject(new Error('broken'));
    await expect(cache.get('/', registry, manifest, broken)).rejects.toThrow('broken');
    expect(String((await cache.get('/', registry, manifest, document('whole'))).bodies.identity)).toBe('whole');
  });

  test('caches a fallback page for ten seconds', async () => {
    jest.useFakeTimers();
    const cache = new PageCache();
    await cache.get('/', registry, manifest, document('fallback', { isFallback: true }));
    const get = async () => String((await cache.get('/', registry, manifest, document('whole'))).bodies.identity);
    expect(await get()).toBe('fallback');
    jest.advanceTimersByTime(10_000);
    expect(await get()).toBe('whole');
    jest.useRealTimers();
  });
});

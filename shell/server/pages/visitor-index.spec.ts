import { type PageData, pageDataElementId } from '@daybook/contract/page';
import type { RemoteIndex } from '@daybook/contract/release';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { changeRelease, operatorToken, readMetrics } from '../test/operator.ts';
import { legalRelease, prepareTwoRemotes, startRunningSite } from '../test/running-site.ts';

const [first, second] = [versionOf(1), versionOf(2)];

const running = await startRunningSite({
  prepare: prepareTwoRemotes,
  variables: { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1' },
});
/** The first release is active, and the second one stored. */
beforeAll(async () => {
  await change({ action: 'hold' });
  await expect(running.publish(legalRelease(2))).rejects.toThrow('is held');
});

const change = (fields: Record<string, string>) => changeRelease(running.url, { remote: 'mf-legal', ...fields });
const get = (path: string, headers: Record<string, string> = {}) => send(running.url, path, { headers });
const versionIn = (text: string) => /mf-legal\/([^/]+)\/remoteEntry/.exec(text)?.[1];
const paths = ['/terms', '/', '/nowhere', '/registry.json'];

test('the remote index has each release and its fallback with their integrity values; in a page only those of its own remote', async () => {
  const { url, publish } = await startRunningSite({ prepare: prepareTwoRemotes });
  const read = async (path: string) => {
    const { text } = await send(url, path);
    const json = new RegExp(`id="${pageDataElementId}">(.*?)</script>`).exec(text)?.[1];
    const index: RemoteIndex = json ? (JSON.parse(json) as PageData).registry : JSON.parse(text);
    return index.remotes.map(({ version, integrity, previous }) => ({ version, integrity, previous }));
  };
  const [former, { entry }] = [legalRelease(1), await publish(legalRelease(2))];
  const value = expect.stringMatching(/^sha384-/);
  const address1 = `/remotes/mf-legal/${first}/${former.entry}`;
  const previous = { version: first, entry: address1, integrity: { [former.entry]: value } };
  const legal = { version: second, integrity: { [entry]: value } };
  expect((await read('/registry.json'))[0]).toEqual({ ...legal, previous });
  expect(await read('/terms')).toEqual([legal, { version: first }]);
  for (const path of ['/', '/nowhere'])
    expect((await read(path)).map((each) => each.previous)).toEqual([undefined, undefined]);
});

test('the remote index is revalidated each time, with a 304 if unchanged', async () => {
  const { headers } = await get('/registry.json');
  expect(headers['content-type']).toMatch(/^application\/json/);
  const again = await get('/registry.json', { 'If-None-Match': `"other", ${headers.etag}` });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  expect((await get('/registry.json', { 'If-None-Match': '"other"' })).status).toBe(200);
});

test('while no canary runs, no cookie is set, and only pages and the remote index may be cached by the edge, for this second', async () => {
  for (const path of paths) {
    const earliest = Math.floor(Date.now() / 1000);
    const { headers } = await get(path);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache, no-transform', vary: 'Accept-Encoding' });
    expect(headers).not.toHaveProperty('set-cookie');
    if (path === '/nowhere') continue;
    const [, until = ''] = /^@(\d+)$/.exec(String(headers['x-accel-expires'])) ?? [];
    expect(Number(until)).toBeGreaterThanOrEqual(earliest);
    expect(Number(until)).toBeLessThanOrEqual(Date.now() / 1000);
  }
  for (const path of ['/nowhere', '/terms/', '/healthz', '/readyz', '/metrics', '/_releases', '/api/waitlist/7'])
    expect((await get(path)).headers).not.toHaveProperty('x-accel-expires');
});

test('a canary starts and ends with the next response, also for a cached page', async () => {
  const visit = async () => {
    const { headers, text } = await get('/terms', { Cookie: 'bucket=0' });
    return [versionIn(text), headers.vary];
  };
  for (let times = 0; times < 3; times++) {
    for (let view = 0; view < 2; view++) expect(await visit()).toEqual([first, 'Accept-Encoding']);
    await change({ action: 'offer', version: second, percent: '50' });
    expect(await visit()).toEqual([second, 'Accept-Encoding, Cookie']);
    await change({ action: 'end' });
  }
  expect(await visit()).toEqual([first, 'Accept-Encoding']);
});

describe('while a canary runs', () => {
  beforeEach(() => change({ action: 'offer', version: second, percent: '50' }));
  afterEach(() => change({ action: 'end' }));

  test.each(paths)("%s sets the visitor's bucket cookie, for a month", async (path) => {
    const { headers } = await get(path);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(/^bucket=\d{1,2}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-cache, no-transform',
      vary: 'Accept-Encoding, Cookie',
    });
    expect(headers).not.toHaveProperty('x-accel-expires');
  });

  test.each([
    ['0', second],
    ['49', second],
    ['50', first],
  ])(
    'the visitor in bucket %s gets %s, each time and on every page, and is counted for it',
    async (bucket, version) => {
      const views = async () => {
        const line = new RegExp(`^daybook_page_views_total\\{remote="mf-legal",version="${version}"\\} (\\d+)`, 'm');
        return Number(line.exec(await readMetrics(running.url))?.[1] ?? 0);
      };
      const before = await views();
      for (const path of paths) {
        const { headers, text } = await get(path, { Cookie: `bucket=${bucket}` });
        expect([versionIn(text), headers['set-cookie'], headers.vary]).toEqual([
          version,
          undefined,
          'Accept-Encoding, Cookie',
        ]);
      }
      // The only one of them that is a page of mf-legal.
      expect(await views()).toBe(before + 1);
    },
  );

  test.each(['', '100', '-1', '1e1', '0x9', '7.5', '+7', '<script>', '%ZZ', '%00'])(
    'an invalid bucket is replaced: bucket=%s',
    async (bucket) => {
      const { status, headers, text } = await get('/terms', { Cookie: `bucket=${bucket}` });
      expect(status).toBe(200);
      expect([first, second]).toContain(versionIn(text));
      expect(headers['set-cookie']?.[0]).toMatch(/^bucket=\d{1,2};/);
    },
  );
});

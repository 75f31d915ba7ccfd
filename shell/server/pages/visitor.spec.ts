import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { numbered, sentOf, startRunningSite, twoRemotes } from '../test/running-site.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const plain = await startRunningSite({ releases: twoRemotes });
const withCanary = await startRunningSite({ releases: twoRemotes });
await withCanary.client.publish(sentOf(numbered(2)), '?percent=30');

const get = (path: string, Cookie?: string, { url } = withCanary) =>
  send(url, path, { headers: Cookie ? { Cookie } : {} });

test.each(['/terms', '/registry.json'])('shared caches store %s, unless there is a canary', async (path) => {
  const { headers } = await get(path, undefined, plain);
  expect(headers).toMatchObject({ 'cache-control': 'no-cache, no-transform', vary: 'Accept-Encoding' });
  expect(headers['x-accel-expires']).toMatch(/^@\d+$/);
  expect(headers).not.toHaveProperty('set-cookie');
  const ofCanary = (await get(path, 'bucket=99')).headers;
  const expected = { 'cache-control': 'private, no-cache, no-transform', vary: 'Accept-Encoding, Cookie' };
  expect(ofCanary).toMatchObject(expected);
  expect(ofCanary).not.toHaveProperty('x-accel-expires');
});

test.each([
  ['bucket=30', first],
  ['bucket=junk; bucket=29', second],
])('visitors with %s get %s', async (cookie, version) => {
  expect(await withCanary.client.versionOf('mf-legal', { Cookie: cookie })).toBe(version);
  expect((await get('/terms', cookie)).text).toContain(`/remotes/mf-legal/${version}/`);
});

test('a new visitor gets a bucket for 30 days, and the release of that share', async () => {
  const { headers, text } = await get('/terms');
  const [cookie = ''] = headers['set-cookie'] ?? [];
  const [, bucket] = /^bucket=(\d{1,2}); Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/.exec(cookie) ?? [];
  expect(text).toContain(`/remotes/mf-legal/${Number(bucket) < 30 ? second : first}/`);
});

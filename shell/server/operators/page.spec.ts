import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { beforeEach, expect, test } from '@jest/globals';
import { numbered, queryDatabase, sentOf, startRunningSite, tokens, twoRemotes } from '../test/running-site.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const site = await startRunningSite({ variables: { TRUSTED_PROXIES: '1' } });
const { client, url } = site;
beforeEach(() => site.empty());

const open = (token: string = tokens.operator, headers: Record<string, string> = {}) => {
  const Authorization = `Basic ${Buffer.from(`any:${token}`).toString('base64')}`;
  return send(url, '/_releases', { headers: { Authorization, ...headers } });
};
const textOf = (page: string) =>
  page
    .replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:])/g, '');
const text = async () => textOf((await open()).text);

test.each([
  [undefined, 401],
  ['Basic', 401],
  [`Basic ${Buffer.from('any').toString('base64')}`, 401],
  [`Basic ${Buffer.from('any:wrong').toString('base64')}`, 401],
  [`Bearer ${tokens.operator}`, 401],
  [`Basic ${Buffer.from(`any:${tokens.legal}`).toString('base64')}`, 403],
])('the page asks for an operator’s token as the password: %p', async (authorization, status) => {
  const response = await send(url, '/_releases', { headers: authorization ? { Authorization: authorization } : {} });
  expect([response.status, response.text]).toEqual([status, expect.not.stringContaining('mf-')]);
  const asks = response.headers['www-authenticate'];
  expect(asks).toEqual(status === 401 ? expect.stringMatching(/^Basic realm=/) : undefined);
});

test('wrong passwords are limited by network, the right one is not', async () => {
  const from = (network: string, token: string) => open(token, { 'X-Forwarded-For': network });
  for (let times = 0; times < 10; times += 1) expect((await from('192.0.2.7', `wrong ${times}`)).status).toBe(401);
  const limited = await from('192.0.2.7', 'wrong');
  expect([limited.status, Number(limited.headers['retry-after'])]).toEqual([429, expect.closeTo(60, -2)]);
  expect([(await from('192.0.2.8', 'wrong')).status, (await from('192.0.2.7', tokens.operator)).status]).toEqual([
    401, 200,
  ]);
});

test.each(['cors', 'no-cors', 'same-origin', 'websocket'])('no script can read the page: %s', async (mode) => {
  expect((await open(tokens.operator, { 'Sec-Fetch-Mode': mode })).status).toBe(403);
});

test('the page is in an opaque origin, and is neither cached nor framed', async () => {
  const { status, headers } = await open(tokens.operator, { 'Sec-Fetch-Mode': 'navigate' });
  expect(status).toBe(200);
  const policy = headers['content-security-policy'];
  expect(policy).toMatch(
    /^sandbox(?!.*allow-(?:same-origin|scripts|forms))[^;]*; default-src 'none'; .*frame-ancestors 'none'/,
  );
  expect(headers['cache-control']).toBe('no-store, no-transform');
});

test('the page changes nothing', async () => {
  expect((await open()).text).not.toMatch(/<(?:script|form|button|input)/);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await send(url, '/_releases', { method: 'POST', headers, body: 'action=hold' })).status).toBe(404);
});

test('the page shows what visitors get of each remote, with the commands that change it', async () => {
  for (const sent of twoRemotes) await client.publish(sent);
  await client.publish(sentOf(numbered(2, 'mf-legal', { commit: 'a'.repeat(40), author: 'Ann' })), '?percent=25');
  await send(url, '/terms', { headers: { Cookie: 'bucket=99' } });
  await client.change({ action: 'hold', remote: 'mf-legal', why: 'an incident' });
  const page = await text();
  for (const part of [
    `mf-legal: 25 % of visitors get ${second}, all others ${first}.`,
    'Held by operator',
    `${second} canary`,
    'aaaaaaaa Ann',
    'npm run releases -- end mf-legal',
    `npm run releases -- activate mf-legal@${second}`,
    'npm run releases -- lift mf-legal',
    'npm run releases -- hold mf-signup --why',
    'an incident',
  ])
    expect(page).toContain(part);
  expect(page).toMatch(new RegExp(`${first} active \\S+ \\S+ – 1 0 open`));
  expect(page).not.toMatch(/false|undefined|null|NaN/);
  expect((await open()).text).toContain(`<a href="/_preview/mf-legal/${second}" target="_blank">`);
});

test('the page proposes a rollback only where there is a release to return to', async () => {
  await client.publish(sentOf(numbered(1)));
  expect(await text()).not.toContain('rollback mf-legal');
  await client.publish(sentOf(numbered(2)));
  expect(await text()).toContain('npm run releases -- rollback mf-legal --why');
});

test('a remote without a release says what visitors get', async () => {
  expect(await text()).toContain('mf-legal has no release yet; its pages respond with 503.');
});

test('the log has the last 50 changes, the newest first', async () => {
  for (let number = 1; number <= 60; number += 1)
    await client.change({ action: number % 2 ? 'hold' : 'lift', remote: 'mf-legal', why: `reason ${number};` });
  const reasons = [...(await text()).matchAll(/reason (\d+);/g)].map(([, number]) => Number(number));
  expect(reasons).toEqual(Array.from({ length: 50 }, (_, index) => 60 - index));
});

test('untrusted text is escaped', async () => {
  const why = '"><script>alert(1)</script>';
  await client.publish(
    sentOf(numbered(1, 'mf-legal', { commit: 'a'.repeat(40), author: why })),
    `?why=${encodeURIComponent(why)}`,
  );
  const { text: page } = await open();
  expect(page).not.toContain('<script');
  expect(page.match(/&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;/g)).toHaveLength(2);
});

test('a server that lacks files says what it serves meanwhile', async () => {
  const other = await startRunningSite({ database: site.database });
  await client.publish(sentOf(numbered(1)));
  await other.client.show();
  await client.publish(sentOf(numbered(2), { [numbered(2).entry]: 'a new file' }));
  await queryDatabase(site.database, "UPDATE releases.blob SET content = 'damaged' WHERE content = 'a new file'");
  const Authorization = `Basic ${Buffer.from(`any:${tokens.operator}`).toString('base64')}`;
  const page = textOf((await send(other.url, '/_releases', { headers: { Authorization } })).text);
  expect(page).toContain(`This server still fetches files, and serves mf-legal: all visitors get ${first}.`);
});

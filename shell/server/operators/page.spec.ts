import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { beforeEach, expect, test } from '@jest/globals';
import { numbered, queryDatabase, sentOf, startRunningSite, tokens, twoRemotes } from '../test/running-site.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const site = await startRunningSite();
const { client, url } = site;
beforeEach(() => site.empty());

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;
const open = (headers: Record<string, string> = {}, of = url) =>
  send(of, '/_releases', { headers: { Authorization: basic(`any:${tokens.operator}`), ...headers } });
async function text(of = url): Promise<string> {
  const page = (await open({}, of)).text.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ');
  return page.replaceAll(/\s+/g, ' ').replaceAll(/ (?=[.,;:])/g, '');
}

test.each([
  ['', 401],
  [basic('any:wrong'), 401],
  [`Bearer ${tokens.operator}`, 401],
  [basic(`any:${tokens.legal}`), 403],
])('the page asks for an operator’s token as the password: %p', async (Authorization, status) => {
  const response = await open({ Authorization });
  expect([response.status, response.text]).toEqual([status, expect.not.stringContaining('mf-')]);
  const asks = response.headers['www-authenticate'];
  expect(asks).toEqual(status === 401 ? expect.stringMatching(/^Basic realm=/) : undefined);
});

test('no script can read the page, which is neither cached nor framed', async () => {
  expect((await open({ 'Sec-Fetch-Mode': 'same-origin' })).status).toBe(403);
  const { status, headers } = await open({ 'Sec-Fetch-Mode': 'navigate' });
  expect([status, headers['cache-control']]).toEqual([200, 'no-store, no-transform']);
  const policy = headers['content-security-policy'];
  expect(policy).toMatch(
    /^sandbox(?!.*allow-(?:same-origin|scripts|forms)).*; default-src 'none'; .*frame-ancestors 'none'/,
  );
});

test('the page shows what visitors get of each remote, with commands to change it', async () => {
  expect(await text()).toContain('mf-legal has no release yet; its pages respond with 503.');
  for (const sent of twoRemotes) await client.publish(sent);
  expect(await text()).not.toContain('rollback mf-legal');
  await client.publish(sentOf(numbered(2)));
  const third = numbered(3, 'mf-legal', { commit: 'a'.repeat(40), author: 'Ann' });
  await client.publish(sentOf(third), '?percent=25');
  await send(url, '/terms', { headers: { Cookie: 'bucket=99' } });
  await client.change({ action: 'hold', remote: 'mf-legal', why: 'an incident' });
  const page = await text();
  for (const part of [
    ...[`mf-legal: 25 % of visitors get ${third.version}, all others ${second}.`, 'Held by operator', 'an incident'],
    ...[`${third.version} canary`, `${first} previous`, 'aaaaaaaa Ann', 'releases -- rollback mf-legal --why'],
    'releases -- lift mf-legal',
  ])
    expect(page).toContain(part);
  // The last change first.
  expect(page).toMatch(/ mf-legal hold .* mf-legal publish /);
  expect(page).toMatch(new RegExp(`${second} active \\S+ \\S+ – 1 0 open`));
  expect((await open()).text).toContain(`<a href="/_preview/mf-legal/${second}" target="_blank">`);
});

test('untrusted text is escaped', async () => {
  const author = '"><script>alert(1)</script>';
  const sent = sentOf(numbered(1, 'mf-legal', { commit: 'a'.repeat(40), author }));
  await client.publish(sent, `?why=${encodeURIComponent(author)}`);
  const page = (await open()).text;
  expect(page.match(/&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;/g)).toHaveLength(2);
  expect(page).not.toContain('<script');
});

test('a server that lacks files says what it serves meanwhile', async () => {
  const other = await startRunningSite({ database: site.database });
  await client.publish(sentOf(numbered(1)));
  await other.client.show();
  await client.publish(sentOf(numbered(2), { [numbered(2).entry]: 'a new file' }), '?keep=true');
  await queryDatabase(site.database, "UPDATE releases.blob SET content = 'damaged' WHERE content = 'a new file'");
  await client.change({ action: 'activate', releases: [`mf-legal@${second}`] });
  const serves = `This server still fetches files, and serves mf-legal: all visitors get ${first}.`;
  expect(await text(other.url)).toContain(serves);
});

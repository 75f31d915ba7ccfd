import { eventually } from '@daybook/testing/eventually';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { numbered, readMetrics, sentOf, startRunningSite, tokens, twoRemotes } from './test/running-site.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const variables = { VERSION: '1.2.3', REVISION: '0a1b2c3' };
const { url, client } = await startRunningSite({ variables, releases: twoRemotes });

/** Returns the lines whose names begin like this, without the prefix of all. */
const linesOf = async (name: string) =>
  [...(await readMetrics(url)).matchAll(new RegExp(`^daybook_(${name}.*)$`, 'gm'))].map(([, line]) => line);

test('the shares are those of visitors that get a release', async () => {
  await client.publish(sentOf(numbered(2)), '?percent=25');
  expect(await linesOf('release_share\\{remote="mf-legal"')).toEqual([
    `release_share{remote="mf-legal",version="${first}"} 0.75`,
    `release_share{remote="mf-legal",version="${second}"} 0.25`,
  ]);
});

test('/metrics needs its own token', async () => {
  const headers = { Authorization: `Bearer ${tokens.operator}` };
  expect((await send(url, '/metrics', { headers })).status).toBe(401);
});

test('requests are counted by kind, without labels that clients control', async () => {
  for (const path of ['/terms', '/made-up?email=ada@example.com', '/assets/none.js', '/api/x', '/readyz'])
    await send(url, path);
  await eventually(async () => {
    const lines = (await readMetrics(url)).split('\n');
    for (const each of ['page 200', 'page 404', 'file 404', 'api 404', 'other 200']) {
      const [kind, status] = each.split(' ');
      expect(lines).toContainEqual(
        expect.stringMatching(`^daybook_shell_requests_total.kind="${kind}",method="GET",status="${status}". \\d+$`),
      );
    }
    expect(lines.join('\n')).not.toMatch(/example|made-up/);
  });
});

test('views are counted by release, without HEAD', async () => {
  const views = async () => Number((await linesOf('page_views_total\\{remote="mf-signup"'))[0]?.split(' ').at(-1) ?? 0);
  const before = await views();
  await send(url, '/');
  await send(url, '/', { method: 'HEAD' });
  expect(await views()).toBe(before + 1);
  expect((await client.show('mf-signup')).releases[0]?.views).toBe(before + 1);
});

test('rejected releases are counted from 0', async () => {
  const rejected = () => linesOf('release_problems_total\\{remote="mf-signup",reason="rejected"');
  expect(await rejected()).toEqual(['release_problems_total{remote="mf-signup",reason="rejected"} 0']);
  await client.publish({ manifest: '{}', files: {} }, '', 'signup', 'mf-signup');
  expect(await rejected()).toEqual(['release_problems_total{remote="mf-signup",reason="rejected"} 1']);
});

test('the metrics have the process, its version and the number of each state', async () => {
  const text = await readMetrics(url);
  expect(text).toMatch(/^process_cpu_seconds_total \d/m);
  for (const line of [
    'daybook_build_info{service="shell",version="1.2.3",revision="0a1b2c3"} 1',
    'daybook_release_deployment_number{remote="mf-signup"} 1',
    'daybook_release_registry_up 1',
  ])
    expect(text.split('\n')).toContain(line);
});

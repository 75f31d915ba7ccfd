import { eventually } from '@daybook/testing/eventually';
import { versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { numbered, readMetrics, sentOf, startRunningSite, tokens, twoRemotes } from './test/running-site.ts';

const variables = { VERSION: '1.2.3', REVISION: '0a1b2c3' };
const { url, client } = await startRunningSite({ variables, releases: twoRemotes });

const lines = async () => (await readMetrics(url)).split('\n');

test('/metrics needs its own token', async () => {
  const headers = { Authorization: `Bearer ${tokens.operator}` };
  expect((await send(url, '/metrics', { headers })).status).toBe(401);
});

test('the metrics have the version, and the share of each release', async () => {
  await client.publish(sentOf(numbered(2)), '?percent=25');
  expect(await lines()).toEqual(
    expect.arrayContaining([
      'daybook_build_info{service="shell",version="1.2.3",revision="0a1b2c3"} 1',
      'daybook_release_deployment_number{remote="mf-signup"} 1',
      'daybook_release_registry_up 1',
      `daybook_release_share{remote="mf-legal",version="${versionOf(1)}"} 0.75`,
      `daybook_release_share{remote="mf-legal",version="${versionOf(2)}"} 0.25`,
      expect.stringMatching(/^process_cpu_seconds_total \d/),
    ]),
  );
  await client.change({ action: 'end', remote: 'mf-legal' });
  expect((await lines()).filter((line) => /^daybook_release_share.*mf-legal/.test(line))).toEqual([
    `daybook_release_share{remote="mf-legal",version="${versionOf(1)}"} 1`,
  ]);
});

test('requests are counted by kind, without labels that clients control', async () => {
  for (const path of ['/terms', '/made-up?email=ada@example.com', '/assets/none.js', '/api/x', '/readyz'])
    await send(url, path);
  const expected = ['page 200', 'page 404', 'file 404', 'api 404', 'other 200'].map((each) => {
    const [kind, status] = each.split(' ');
    const labels = `kind="${kind}",method="GET",status="${status}"`;
    return expect.stringMatching(`^daybook_shell_requests_total.${labels}. \\d+$`);
  });
  await eventually(async () => expect(await lines()).toEqual(expect.arrayContaining(expected)));
  expect(await readMetrics(url)).not.toMatch(/example|made-up/);
});

test('views are counted by release, without HEAD', async () => {
  const views = `daybook_page_views_total{remote="mf-signup",version="${versionOf(1)}"}`;
  for (const method of ['GET', 'HEAD', 'GET']) await send(url, '/', { method });
  expect(await lines()).toContain(`${views} 2`);
  expect((await client.show('mf-signup')).releases[0]?.views).toBe(2);
});

test('rejected releases are counted from 0', async () => {
  const rejected = 'daybook_release_problems_total{remote="mf-signup",reason="rejected"}';
  expect(await lines()).toContain(`${rejected} 0`);
  await client.publish({ manifest: '{}', files: {} }, '', 'signup', 'mf-signup');
  expect(await lines()).toContain(`${rejected} 1`);
});

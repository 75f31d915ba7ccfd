import { eventually } from '@daybook/testing/eventually';
import { releaseOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Metrics } from './metrics.ts';
import { metricsToken, operatorToken } from './test/operator.ts';
import { prepareTwoRemotes, startRunningSite } from './test/running-site.ts';

const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let folder: TemporaryReleases;
let metrics: Metrics;
const variables = { OPERATOR_TOKEN: operatorToken, VERSION: '1.2.3', REVISION: '0a1b2c3' };
const running = await startRunningSite({ prepare: prepareTwoRemotes, variables });
beforeEach(() => {
  folder = createTemporaryReleases(['mf-legal']);
  metrics = new Metrics({ remotes: () => ['mf-legal'] }, folder.live);
});
afterEach(() => folder.remove());

/** Returns the lines of the metrics whose names begin like this, without the prefix of all. */
async function linesOf(name: string): Promise<readonly string[]> {
  await folder.live.refresh().catch(() => undefined);
  const text = await metrics.register.metrics();
  return [...text.matchAll(new RegExp(`^daybook_release_(${name}.*)$`, 'gm'))].map(([, line = '']) => line);
}
const read = (Authorization = `Bearer ${metricsToken}`, path = '/metrics') =>
  send(running.url, path, { headers: { Authorization } });

test('the shares are those of visitors that get a release, also while files of one are missing', async () => {
  expect(await linesOf('share')).toEqual([]);
  for (const version of [first, second, third]) await folder.add('mf-legal', version);
  for (const version of [first, second]) await folder.activate('mf-legal', version, { by: 'Ann' });
  await folder.offer('mf-legal', third, { percent: 25 }, { by: 'Ann' });
  const shares = (...expected: [string, number][]) =>
    expected.map(([version, share]) => `share{remote="mf-legal",version="${version}"} ${share}`);
  folder.registry.readFile = () => Promise.reject(new Error('away'));
  const lose = async (version: string) => {
    await folder.live.files.remove('mf-legal', version);
    await folder.live.update();
  };
  expect(await linesOf('share')).toEqual(shares([second, 0.75], [third, 0.25]));
  await lose(second);
  expect(await linesOf('share')).toEqual(shares([first, 0.75], [third, 0.25]));
  await lose(third);
  expect(await linesOf('share')).toEqual(shares([first, 1]));
});

test('the use of the registry is that of now', async () => {
  expect(await linesOf('registry')).toEqual(['registry_up 1']);
  folder.registry.read = async () => {
    throw new Error('away');
  };
  expect(await linesOf('registry')).toEqual(['registry_up 0']);
});

test('/metrics requires the metrics token, which opens nothing else; that of an operator does not open it', async () => {
  for (const authorization of ['', 'Bearer wrong', `Basic ${metricsToken}`, `Bearer ${operatorToken}`]) {
    const { status, headers, text } = await read(authorization);
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(text).not.toContain('daybook_');
  }
  expect((await read(undefined, '/_releases')).status).toBe(401);
});

test('/metrics has process, version, releases, and requests by kind without labels that clients control', async () => {
  const paths = ['/terms', '/made-up?email=ada@example.com', '/favicon.svg', '/assets/none.js', '/api/x', '/readyz'];
  const responses = [];
  for (const path of paths) responses.push(await read('', path));
  expect(JSON.parse(responses.at(-1)?.text ?? '')).toMatchObject({ version: '1.2.3', revision: '0a1b2c3' });
  const broken = releaseOf('mf-signup', { version: second, entry: 'gone.js' });
  await expect(running.publish(broken)).rejects.toThrow('gone.js');
  await eventually(async () => {
    const { headers, text } = await read();
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/plain; version=0\.0\.4/),
      'cache-control': 'no-store',
    });
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).not.toMatch(/example|made-up/);
    const requests = ['page 200', 'page 404', 'file 200', 'file 404', 'api 404', 'other 200'];
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'daybook_build_info{service="shell",version="1.2.3",revision="0a1b2c3"} 1',
        `daybook_page_views_total{remote="mf-legal",version="${first}"} 1`,
        `daybook_release_share{remote="mf-signup",version="${first}"} 1`,
        'daybook_release_deployment_number{remote="mf-legal"} 1',
        'daybook_release_problems_total{remote="mf-signup",reason="incomplete"} 1',
        ...requests.flatMap((each) => {
          const [kind, status] = each.split(' ');
          return [
            expect.stringMatching(
              `^daybook_shell_requests_total.kind="${kind}",method="GET",status="${status}". \\d+$`,
            ),
            expect.stringMatching(`^daybook_shell_request_duration_seconds_count.kind="${kind}". \\d+$`),
          ];
        }),
      ]),
    );
  });
});

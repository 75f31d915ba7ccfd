import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pageReportUrl } from '@daybook/contract/page';
import { remoteIndexUrl } from '@daybook/contract/release';
import { expect, newEmail, test } from '@daybook/testing/browser-test';
import { docker } from '@daybook/testing/compose';
import { root } from '@daybook/testing/workspaces';
import type { APIRequestContext } from '@playwright/test';
import * as stack from './stack.ts';

const monitoring = path.join(root, 'deploy/monitoring');

/** Debian's packages, for machines without access to an image registry; there is none of Grafana. */
const packageOf: Readonly<Record<string, string>> = {
  prometheus: 'prometheus',
  alertmanager: 'prometheus-alertmanager',
  'postgres-exporter': 'prometheus-postgres-exporter',
  'nginx-exporter': 'prometheus-nginx-exporter',
  'node-exporter': 'prometheus-node-exporter',
  'blackbox-exporter': 'prometheus-blackbox-exporter',
};
const parts = Object.keys(packageOf);

const compose = (...words: readonly string[]) => stack.compose('--profile', 'monitoring', ...words);

let services: Readonly<Record<string, { readonly image: string }>>;
const imageOf = (service: string): string => services[service]?.image ?? '';

/** Pulls an image; if that fails, builds one of that name from Debian's package. */
async function provide(service: string): Promise<void> {
  const image = imageOf(service);
  const file = path.join(import.meta.dirname, 'exporter.Dockerfile');
  const options = ['--file', file, '--tag', image, '--build-arg', `PACKAGE=${packageOf[service]}`];
  await docker('image', 'inspect', image)
    .catch(() => docker('pull', image))
    .catch(() => docker('build', ...options, import.meta.dirname));
}

/** Runs a command in a monitoring image, on the files of deploy/monitoring. */
const checkFiles = (service: string, command: string) =>
  docker('run', '--rm', '--volume', `${monitoring}:/files:ro`, '--entrypoint=sh', imageOf(service), '-c', command);

/** Requests paths of Prometheus' API, one after the other; returns the data of each. */
async function askPrometheus<Data>(paths: readonly string[]): Promise<readonly Data[]> {
  const script = `
    for (const path of ${JSON.stringify(paths)})
      await fetch('http://prometheus:9090/api/v1/' + path).then((response) => response.text()).then(console.log);`;
  const output = await stack.exec('shell-a', 'node', '--input-type=module', '--eval', script);
  return output.split('\n').map((line) => {
    const { status, data, error } = JSON.parse(line);
    expect(status, error).toBe('success');
    return data;
  });
}

async function withoutData(queries: readonly string[]): Promise<readonly string[]> {
  const paths = queries.map((query) => `query?query=${encodeURIComponent(query)}`);
  const data = await askPrometheus<{ result: readonly { value: [number, string] }[] }>(paths);
  return queries.filter((_, index) => data[index]?.result.every(({ value }) => value[1] === 'NaN') ?? true);
}

const receiver = `${stack.project}-receiver`;
const printBodies = `require('node:http').createServer(async (request, response) => {
  console.log(request.url, Buffer.concat(await request.toArray()).toString());
  response.end();
}).listen(8080)`;

test.beforeAll('start the profile', async () => {
  test.setTimeout(600_000);
  ({ services } = JSON.parse(await compose('config', '--format', 'json')));
  for (const service of parts) await provide(service);
  stack.changeSettings({ ALERT_URL: `http://${receiver}:8080/topic?template=alertmanager&priority=5` });
  await stack.up(...parts);
  const options = ['--detach', `--name=${receiver}`, `--network=${stack.project}_entry`, '--entrypoint=node'];
  await docker('run', ...options, 'node:24-bookworm-slim', '--eval', printBodies);
});

test.afterAll('remove the profile', async () => {
  await docker('rm', '--force', receiver);
  await compose('rm', '--stop', '--force', ...parts);
});

test('alerts fire when they must', async () => {
  const tests = `cp /files/alerts.test.yml /tmp && sed -n 's/^  //p' /files/alerts.yml > /tmp/alerts.yml`;
  expect(await checkFiles('prometheus', `${tests} && promtool test rules /tmp/alerts.test.yml`)).toContain('SUCCESS');
});

test('the example of an email receiver is valid', async () => {
  const copy = `sed 's/^  #/  /; s/ALERT_RECEIVER/email/; s|ALERT_URL|http://none|' /files/alertmanager.yml > /tmp/copy.yml`;
  expect(await checkFiles('alertmanager', `${copy} && amtool check-config /tmp/copy.yml`)).toContain('SUCCESS');
});

/** Reports from browsers of networks, which count once a minute each, that /terms could not be rendered. */
async function reportFailures(request: APIRequestContext, from: number, to: number): Promise<void> {
  const { remotes } = await (await request.get(remoteIndexUrl)).json();
  const { name, version } = remotes.find((remote: { name: string }) => remote.name === 'mf-legal');
  const report = JSON.stringify({ remote: name, version, route: '/terms', kind: 'render' });
  // Inside of the stack, the header is trusted.
  const script = `
    for (let network = ${from}; network <= ${to}; network += 1) {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.' + network + '.1' };
      const response = await fetch('http://127.0.0.1:8080${pageReportUrl}', { method: 'POST', headers, body: '${report}' });
      if (response.status !== 204) throw new Error(response.status);
    }`;
  await stack.exec('shell-a', 'node', '--input-type=module', '--eval', script);
}

test('the role of postgres-exporter reads statistics, and no rows', async () => {
  const connect = (statement: string) =>
    stack.exec('postgres', 'psql', '--username=daybook', '-c', 'SET SESSION AUTHORIZATION monitoring', '-c', statement);
  expect(await connect('SELECT count(*) > 0 FROM pg_stat_activity')).toContain('t');
  await expect(connect('SELECT email FROM subscriber')).rejects.toThrow('permission denied');
});

test('every metric of a panel or alert exists', async ({ page, request }) => {
  await page.goto('/');
  await reportFailures(request, 1, 1);
  // One email, beyond its limit in each of the two backends.
  const email = newEmail('load');
  const statuses = new Set<number>();
  for (let count = 0; count < 250; count += 1)
    statuses.add((await request.post('/api/waitlist', { data: { email } })).status());
  expect(statuses).toEqual(new Set([201, 429]));

  const { panels, annotations } = JSON.parse(readFileSync(path.join(monitoring, 'dashboard.json'), 'utf8'));
  // backend/test/database.integration.spec.ts runs the panels' SQL.
  type Panel = { targets?: { expr?: string }[] };
  const ofPanels: string[] = panels.flatMap(({ targets = [] }: Panel) => targets.flatMap(({ expr = [] }) => expr));
  // Servers that started within a day. A release is longer ago than Prometheus has read anything.
  const [, { target: starts }] = annotations.list;
  ofPanels.push(starts.expr.replace('$__interval_ms', '86400000'));
  type Rules = { groups: { rules: { query: string }[] }[] };
  const [data] = await askPrometheus<Rules>(['rules']);
  const rules = data?.groups.flatMap((group) => group.rules) ?? [];
  const ofAlerts = rules.flatMap(({ query }) => query.match(/\b(?:daybook|node|nginx|pg|probe)_\w+/g) ?? []);
  // The test's site has no certificate and no WEBHOOK_URL.
  const queries = [...new Set([...ofPanels, ...ofAlerts])].filter(
    (query) => !/probe_ssl_|^daybook_webhook_attempts_total$/.test(query),
  );
  expect(queries.length).toBeGreaterThan(40);
  await expect.poll(() => withoutData(queries), { timeout: 90_000 }).toEqual([]);
});

const notifications = () => docker('logs', receiver);

test('an alert reaches ALERT_URL, and its links open Grafana', async ({ request }) => {
  // Only what is added to the count of the former test is an increase.
  await reportFailures(request, 2, 21);
  await expect.poll(notifications, { timeout: 240_000 }).toContain('Pages of mf-legal failed');
  const notified = await notifications();
  expect(notified).toContain('/topic?template=alertmanager&priority=5');
  expect(notified).toContain('"generatorURL":"http://localhost:3001/d/daybook/graph?');
  expect(notified).toContain('"externalURL":"http://localhost:3001/alerting"');
});

test('Slack gets an alert as text', async () => {
  stack.changeSettings({ ALERT_URL: `http://${receiver}:8080/hooks/test` });
  await stack.up('alertmanager');
  const amtool = ['amtool', '--alertmanager.url=http://localhost:9093', 'alert', 'add', 'Trial'];
  const add = () => stack.exec('alertmanager', ...amtool, 'severity=warning', '--annotation=summary=This is a trial.');
  await expect(add).toPass();
  await expect.poll(notifications, { timeout: 90_000 }).toContain('"text":"This is a trial.');
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
const rules = parse(read('deploy/monitoring/alerts.yml'));
const alerts: readonly Alert[] = rules.groups.flatMap(({ rules }: { rules: readonly Alert[] }) => rules);

test('every alert has a severity, a summary, what to do in docs/operations.md, and a test in which it fires', () => {
  expect(alerts.length).toBeGreaterThan(20);
  const operations = read('docs/operations.md');
  const tests = read('deploy/monitoring/alerts.test.yml');
  for (const { alert, labels, annotations } of alerts) {
    expect(labels.severity).toMatch(/^(?:critical|warning)$/);
    expect(annotations).toEqual({
      summary: expect.stringMatching(/\.$/),
      runbook_url: `{{ or $externalLabels.runbooks "docs/operations.md" }}#${alert.toLowerCase()}`,
    });
    expect(operations).toContain(`<a id="${alert.toLowerCase()}"></a>\`${alert}\``);
    expect(tests).toContain(`labels: '{alertname="${alert}"}'`);
  }
});

test('every alert and dashboard query uses a metric that a server exports', () => {
  const servers = [read('shell/server/metrics.ts'), read('backend/src/metrics.ts')].join('\n');
  const names = new Set(servers.match(/(?<=')daybook_\w+/g));
  const { panels } = JSON.parse(read('deploy/monitoring/dashboard.json'));
  const queries: string[] = panels.flatMap(({ targets = [] }) =>
    (targets as { expr: string }[]).map(({ expr }) => expr),
  );
  const queried = [...queries, ...alerts.map(({ expr }) => expr)]
    .flatMap((query) => query.match(/\bdaybook_\w+/g) ?? [])
    .map((name) => name.replace(/_bucket$/, ''))
    // Of the service `backup`.
    .filter((name) => !name.startsWith('daybook_backup_'));
  expect(queried.length).toBeGreaterThan(30);
  expect(queried.filter((name) => !names.has(name))).toEqual([]);
});

test('the alerts for prometheus-operator are those of deploy/monitoring/alerts.yml', () => {
  expect(parse(read('deploy/kubernetes/monitoring/alerts.yaml')).spec).toEqual(rules);
});

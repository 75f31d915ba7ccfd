import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
const { groups } = parse(read('deploy/monitoring/alerts.yml')).spec;
const alerts: readonly Alert[] = groups.flatMap(({ rules }: { rules: readonly Alert[] }) => rules);

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

test('without what is not indented, the alerts are a file of rules for Prometheus', () => {
  const indented = read('deploy/monitoring/alerts.yml').matchAll(/^ {2}.*\n/gm);
  expect(parse(Array.from(indented, ([line]) => line.slice(2)).join(''))).toEqual({ groups });
});

test('the marks of the dashboard have tests', () => {
  const { marks } = parse(read('deploy/monitoring/dashboard.yml'));
  const asTested = (query: string) => query.replace('$__interval_ms / 1000', '60').replace('$__interval', '1m');
  const tests = read('deploy/monitoring/alerts.test.yml').replaceAll(/\s+/g, ' ');
  for (const { query } of marks) expect(tests).toContain(asTested(query));
});

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
const { groups } = parse(read('deploy/monitoring/alerts.yml')).spec;
const alerts: readonly Alert[] = groups.flatMap(({ rules }: { rules: readonly Alert[] }) => rules);
test.each(alerts)('$alert has a severity, a summary, a runbook and a test', ({ alert, labels, annotations }) => {
  const id = alert.toLowerCase();
  expect(labels.severity).toMatch(/^(?:critical|warning)$/);
  expect(annotations).toEqual({
    summary: expect.stringMatching(/\.$/),
    runbook_url: `{{ or $externalLabels.runbooks "docs/operations.md" }}#${id}`,
  });
  expect(read('docs/operations.md')).toContain(`<a id="${id}"></a>\`${alert}\``);
  expect(read('deploy/monitoring/alerts.test.yml')).toContain(`labels: '{alertname="${alert}"}'`);
});

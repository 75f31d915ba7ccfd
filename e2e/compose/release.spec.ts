import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainLoad } from '@daybook/testing/plain-load';
import { expect, test } from '../support/test.ts';
import { healthLimit, running, stack } from './stack-of-run.ts';

test('mf-privacy is released alone and taken back under load, without a failed request', async ({ page, baseURL }) => {
  const others = running.filter((service) => service !== 'mf-privacy');
  const before = await Promise.all(others.map((service) => stack.containerId(service)));
  const file = path.join(stack.folder, 'mf-privacy/src/choices/unsubscribe.tsx');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace("heading: 'Unsubscribe'", "heading: 'Unsubscribe today'"));

  const load = new PlainLoad(baseURL ?? '', ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you']);
  await stack.compose('up', '--detach', '--build', 'mf-privacy');
  const expectHeading = (name: string) =>
    expect(async () => {
      await page.goto('/unsubscribe');
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: healthLimit });
  await expectHeading('Unsubscribe today');
  await stack.exec('shell', 'releases', 'rollback', 'mf-privacy', '--why', 'the wording');
  await expectHeading('Unsubscribe');
  await load.stop();

  expect(load.failures).toEqual([]);
  expect(load.requests).toBeGreaterThan(100);
  expect(await Promise.all(others.map((service) => stack.containerId(service)))).toEqual(before);
  const log = await stack.exec('shell', 'releases', 'log', 'mf-privacy');
  expect(new Set(log.match(/1\.0\.0-[0-9a-f]{8}/g)).size).toBe(2);
});

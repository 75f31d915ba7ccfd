import { expect, test } from '@daybook/testing/browser-test';
import { headingOf } from '@daybook/testing/built-pages';
import { Load } from '@daybook/testing/load';
import * as stack from './stack.ts';

test('mf-privacy is released and rolled back alone, without a failed request', async ({ page, baseURL, started }) => {
  // Replaces what earlier tests have started without its dependencies.
  await stack.up();
  const others = stack.running.filter((service) => service !== 'mf-privacy');
  const containers = () => Promise.all(others.map((service) => stack.containerId(service)));
  const before = await containers();
  const heading = headingOf('/unsubscribe');
  const edit = [`heading: '${heading}'`, `heading: '${heading} today'`] as const;
  stack.changeSource('mf-privacy/src/pages/unsubscribe.tsx', ...edit);

  const load = new Load(baseURL ?? '', ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you']);
  started.defer(() => load.stop());
  await stack.up('--build', 'mf-privacy');
  const expectHeading = (name: string) =>
    expect(async () => {
      await page.goto('/unsubscribe');
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: stack.healthTimeout });
  await expectHeading(`${heading} today`);
  await stack.exec('shell-a', 'releases', 'rollback', 'mf-privacy', '--why', 'the wording');
  await expectHeading(heading);
  // Its container publishes again, which changes nothing; nor does another `up`.
  const readLog = () => stack.exec('shell-a', 'releases', 'log');
  const rolledBack = await readLog();
  await stack.compose('restart', 'mf-privacy');
  await stack.expectHealth('mf-privacy').toBe('healthy');
  await stack.up();
  expect(await stack.compose('logs', '--tail', '5', 'mf-privacy')).toContain('was rolled back');
  expect(await readLog()).toBe(rolledBack);
  await expectHeading(heading);
  await load.stop();

  expect(load.failures).toEqual([]);
  expect(load.requests).toBeGreaterThan(100);
  expect(await containers()).toEqual(before);
  const log = await stack.exec('shell-a', 'releases', 'log', 'mf-privacy');
  expect(new Set(log.match(/1\.0\.0-[0-9a-f]{12}/g)).size).toBe(2);
});

import { PlainLoad } from '@daybook/testing/plain-load';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

test('mf-privacy is released alone and rolled back under load, without a failed request', async ({ page, baseURL }) => {
  const others = stack.running.filter((service) => service !== 'mf-privacy');
  const containers = () => Promise.all(others.map((service) => stack.containerId(service)));
  const before = await containers();
  stack.changeSource(
    'mf-privacy/src/choices/unsubscribe.tsx',
    "heading: 'Unsubscribe'",
    "heading: 'Unsubscribe today'",
  );

  const load = new PlainLoad(baseURL ?? '', ['/', '/unsubscribe', '/terms', '/profiling-opt-out', '/thank-you']);
  await stack.compose('up', '--detach', '--build', 'mf-privacy');
  const expectHeading = (name: string) =>
    expect(async () => {
      await page.goto('/unsubscribe');
      await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: stack.healthTimeout });
  await expectHeading('Unsubscribe today');
  await stack.exec('shell', 'releases', 'rollback', 'mf-privacy', '--by', 'Ann', '--why', 'the wording');
  await expectHeading('Unsubscribe');
  await load.stop();

  expect(load.failures).toEqual([]);
  expect(load.requests).toBeGreaterThan(100);
  expect(await containers()).toEqual(before);
  const log = await stack.exec('shell', 'releases', 'log', 'mf-privacy');
  expect(new Set(log.match(/1\.0\.0-[0-9a-f]{8}/g)).size).toBe(2);
});

import { PlainLoad } from '@daybook/testing/plain-load';
import { send } from '../../shell/server/test/send.ts';
import { expect, test } from '../support/test.ts';
import * as stack from './stack.ts';

test('mf-privacy is released alone and rolled back under load, without a failed request', async ({ page, baseURL }) => {
  const others = stack.running.filter((service) => service !== 'mf-privacy');
  const containers = () => Promise.all(others.map((service) => stack.containerIds(service)));
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

test('the edge mixes no visitors of a canary, and shows its end', async () => {
  const log = await stack.exec('shell', 'releases', 'log', 'mf-privacy');
  const versions = [...new Set(log.match(/1\.0\.0-[0-9a-f]{8}/g))];
  const versionFor = async (cookie: string) => {
    const { text, headers } = await send(process.env.SITE_ADDRESS ?? '', '/unsubscribe', {
      headers: { Cookie: cookie },
    });
    const [, version] = /data-remote="mf-privacy@([^"]+)"/.exec(text) ?? [];
    return { version, isNewVisitor: headers['set-cookie'] !== undefined };
  };
  const active = (await versionFor('')).version;
  const canary = versions.find((version) => version !== active) ?? '';
  await stack.exec(
    'shell',
    'releases',
    'canary',
    'mf-privacy',
    canary,
    '50',
    '--by',
    'Ann',
    '--why',
    'some visitors first',
  );
  await expect.poll(() => versionFor('bucket=0')).toEqual({ version: canary, isNewVisitor: false });
  for (let times = 0; times < 50; times += 1) {
    expect(await versionFor('bucket=99')).toEqual({ version: active, isNewVisitor: false });
    expect(await versionFor('bucket=0')).toEqual({ version: canary, isNewVisitor: false });
    expect((await versionFor('')).isNewVisitor).toBe(true);
  }
  await stack.exec('shell', 'releases', 'rollback', 'mf-privacy', '--by', 'Ann', '--why', 'the wording');
  await expect.poll(() => versionFor('bucket=0')).toEqual({ version: active, isNewVisitor: false });
});

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainLoad } from '@daybook/testing/plain-load';
import { hashOfToken, newPreviewToken } from '@daybook/testing/releases';
import type { Page } from '@playwright/test';
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
  const releases = (...words: readonly string[]) =>
    stack.exec('shell', 'releases', ...words, '--by', 'Ann', '--why', 'the wording');
  await releases('canary', 'mf-privacy', canary, '50');
  await expect.poll(() => versionFor('bucket=0')).toEqual({ version: canary, isNewVisitor: false });
  for (let times = 0; times < 50; times += 1) {
    expect(await versionFor('bucket=99')).toEqual({ version: active, isNewVisitor: false });
    expect(await versionFor('bucket=0')).toEqual({ version: canary, isNewVisitor: false });
    expect((await versionFor('')).isNewVisitor).toBe(true);
  }
  await releases('rollback', 'mf-privacy');
  await expect.poll(() => versionFor('bucket=0')).toEqual({ version: active, isNewVisitor: false });
});

test.describe('a preview', () => {
  // The link of one that has ended.
  test.use({ expectedStatuses: [404] });

  test('is shown by the edge to visitors with its link only, until it ends', async ({ page, browser, baseURL }) => {
    const log = await stack.exec('shell', 'releases', 'log', 'mf-privacy');
    const [previewed = ''] = /1\.0\.0-[0-9a-f]{8}(?= +1\.0\.0-[0-9a-f]{8} +Ann +the wording)/.exec(log) ?? [];
    const token = newPreviewToken();
    // What the mirror does when it finds one at the origin. A new one needs a build with the team's key.
    await stack.query(
      `INSERT INTO releases.change (remote, revision, action, to_version, token_hash, ends_at, why, by)
       SELECT remote, max(revision) + 1, 'preview', '${previewed}', '${hashOfToken(token)}', now() + interval '1 day', '', 'test'
       FROM releases.change WHERE remote = 'mf-privacy' GROUP BY remote`,
    );
    const other = await (await browser.newContext({ ...(baseURL && { baseURL }) })).newPage();
    const heading = (on: Page, name: string) =>
      expect(on.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
    await page.goto(`/_preview/${token}`);
    await expect(page).toHaveURL('/unsubscribe');
    // By turns: neither gets the other's page from the edge's cache.
    for (let times = 0; times < 5; times += 1) {
      await page.goto('/unsubscribe');
      await heading(page, 'Unsubscribe today');
      await expect(page.locator('#preview-bar')).toContainText(previewed);
      await other.goto('/unsubscribe');
      await heading(other, 'Unsubscribe');
      await expect(other.locator('#preview-bar')).toHaveCount(0);
    }
    const { headers } = await send(baseURL ?? '', '/unsubscribe', { headers: { Cookie: `preview=${token}` } });
    expect(headers).toMatchObject({ 'cache-control': 'no-store, no-transform', 'x-robots-tag': 'noindex' });
    await stack.exec('shell', 'releases', 'preview', 'mf-privacy', '--end', '--by', 'Ann', '--why', 'seen');
    await expect(async () => {
      await page.goto('/unsubscribe');
      await expect(page.locator('#preview-bar')).toHaveCount(0, { timeout: 1_000 });
    }).toPass({ timeout: 20_000 });
    await heading(page, 'Unsubscribe');
    await page.goto(`/_preview/${token}`);
    await heading(page, 'There is no preview at this link');
    await other.context().close();
  });
});

test('a removed and an added remote replace the shell server, and nothing else', async () => {
  const file = path.join(stack.folder, 'docker-compose.yml');
  const all = readFileSync(file, 'utf8');
  // What `npm run check -- --fix` does when a remote's folder is gone.
  const without = all.replace(/^ {2}mf-legal:\n(?: {4}.*\n)+/m, '').replace('mf-legal=http://mf-legal:8080,', '');
  expect(without).not.toContain('mf-legal');
  const others = stack.running.filter((service) => service !== 'mf-legal' && service !== 'shell');
  const containers = () => Promise.all(others.map((service) => stack.containerIds(service)));
  const remotesOfSite = async () => {
    const { remotes } = await (await fetch(`${process.env.SITE_ADDRESS}/registry.json`)).json();
    return remotes.map(({ name }: { name: string }) => name);
  };
  const before = await containers();
  try {
    writeFileSync(file, without);
    await stack.compose('up', '--detach', '--wait', '--remove-orphans');
    await expect.poll(remotesOfSite).not.toContain('mf-legal');
    expect(await stack.compose('ps', '--all', '--services')).not.toContain('mf-legal');
    expect(await containers()).toEqual(before);
  } finally {
    writeFileSync(file, all);
    await stack.compose('up', '--detach', '--wait');
  }
  await expect.poll(remotesOfSite).toContain('mf-legal');
  expect(await containers()).toEqual(before);
});

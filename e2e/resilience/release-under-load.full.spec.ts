import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { saveData } from '@daybook/runner/page-checks';
import { root } from '@daybook/runner/workspaces';
import { PlainLoad } from '@daybook/testing/plain-load';
import { buildParts, copyRepository } from '@daybook/testing/repository-copy';
import type { Page } from '@playwright/test';
import { sectionsOf } from '../support/built-pages.ts';
import { type OwnSite, startOwnSite } from '../support/own-site.ts';
import { expect, test, untilReady } from '../support/test.ts';

/** Opens a page repeatedly as new visitors, until stopped. */
class BrowserLoad {
  readonly failures: string[] = [];
  readonly headings = new Set<string>();
  #stopped = false;
  readonly #done: Promise<void>;

  constructor(page: Page, url: string) {
    page.on('requestfailed', (request) => this.failures.push(`${request.url()}: ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      if (response.status() >= 400) this.failures.push(`${response.url()}: ${response.status()}`);
    });
    page.on('pageerror', (error) => this.failures.push(String(error)));
    this.#done = this.#visit(page, url);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #visit(page: Page, url: string): Promise<void> {
    // Leaving a page aborts its prefetches, which is not a failure.
    await page.addInitScript(saveData);
    while (!this.#stopped) {
      await page.goto(url);
      const headings = page.locator('[data-remote]').getByRole('heading');
      await headings.first().waitFor();
      for (const heading of await headings.allTextContents()) this.headings.add(heading);
      // So that the next visit does not abort late requests.
      await page.waitForLoadState('networkidle');
    }
  }
}

/** Returns a hash of each file of all active releases except one remote's, and of the shell's files. */
async function filesBut(site: OwnSite, changing: string): Promise<ReadonlyMap<string, string>> {
  const { remotes: registered } = await site.remoteIndex();
  const html = await (await fetch(`${site.url}/`)).text();
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
  const files = registered
    .filter(({ name }) => name !== changing)
    .flatMap(({ name, version, integrity }) =>
      Object.keys(integrity ?? {}).map((file) => `/remotes/${name}/${version}/${file}`),
    );
  const hashes = [...assets, ...files].map(async (url) => {
    const content = await (await fetch(site.url + url)).arrayBuffer();
    return [url, createHash('sha256').update(Buffer.from(content)).digest('hex')] as const;
  });
  return new Map(await Promise.all(hashes));
}

/** Runs the command `releases` on the site. */
async function releases({ url, tokens }: OwnSite, ...words: readonly string[]): Promise<string> {
  const command = path.join(root, 'packages/releases/src/releases.ts');
  const env = { ...process.env, RELEASES_TOKEN: tokens.operatorToken };
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...words, '--site', url], { env });
  return stdout;
}

const remote = 'mf-legal';
const pagePath = '/terms';
const sibling = '/cookie-policy';
const from = sectionsOf(pagePath)[0]?.heading ?? '';
const to = `${from} from now on`;
test('a remote is released and rolled back under load without affecting visitors of other remotes', async ({
  page,
  started,
  context,
}) => {
  const site = await startOwnSite(started);
  const before = await filesBut(site, remote);
  const copy = copyRepository([...buildParts, remote]);
  copy.edit(`${remote}/content/terms.md`, (text) => text.replace(from, to));
  const changed = await copy.build(remote).finally(copy.remove);
  expect(changed.release.version).not.toBe(await site.versionOf(remote));

  const openOnRemote = await context.newPage();
  await openOnRemote.goto(site.url + pagePath);
  await untilReady(openOnRemote);
  await expect(openOnRemote.getByRole('heading', { name: from, exact: true })).toBeVisible();
  const openElsewhere = await context.newPage();
  await openElsewhere.goto(`${site.url}/`);
  await untilReady(openElsewhere);
  await expect(openElsewhere.getByRole('heading', { level: 1 })).toBeVisible();
  await openElsewhere.waitForLoadState('networkidle');

  const plain = new PlainLoad(site.url, ['/', pagePath, sibling, '/unsubscribe', '/thank-you']);
  const visitors = new BrowserLoad(page, site.url + pagePath);
  await expect.poll(() => visitors.headings.has(from)).toBe(true);

  await site.push(changed);
  await expect.poll(() => visitors.headings.has(to)).toBe(true);

  // Open pages keep their loaded release: the old one, if they use the remote.
  await openOnRemote.getByRole('contentinfo').locator(`a[href="${sibling}"]`).click();
  await expect(openOnRemote).toHaveURL(site.url + sibling);
  await expect(openOnRemote.locator('[data-remote]')).not.toHaveAttribute(
    'data-remote',
    `${remote}@${changed.release.version}`,
  );
  await expect(openOnRemote.locator('[data-remote]').getByRole('heading', { level: 1 })).toBeVisible();
  await openElsewhere.getByRole('contentinfo').locator(`a[href="${pagePath}"]`).click();
  await expect(openElsewhere.locator('[data-remote]').getByRole('heading', { name: to, exact: true })).toBeVisible();

  const said = await releases(site, 'rollback', remote, '--why', 'the wording');
  expect(said).toContain(`${changed.release.version} is rolled back`);
  await expect.poll(() => site.versionOf(remote)).not.toBe(changed.release.version);
  await expect
    .poll(() => {
      const seen = [...visitors.headings];
      visitors.headings.clear();
      return seen.includes(from) && !seen.includes(to);
    })
    .toBe(true);

  await visitors.stop();
  await plain.stop();
  expect(visitors.failures).toEqual([]);
  expect(plain.failures).toEqual([]);
  expect(plain.requests).toBeGreaterThan(20);
  expect(await filesBut(site, remote)).toEqual(before);
  expect(await releases(site, 'log', remote)).toContain('the wording');
});

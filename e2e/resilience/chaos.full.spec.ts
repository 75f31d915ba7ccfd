import { setTimeout as delay } from 'node:timers/promises';
import { untilHydrated } from '@daybook/runner/page-checks';
import { pushRelease } from '@daybook/runner/pushing';
import {
  brokenVariantOf,
  handWritten,
  type ReleaseVariant,
  readBuiltRelease,
  variantOf,
} from '@daybook/runner/releases';
import { remotes } from '@daybook/runner/workspaces';
import { randomFrom } from '@daybook/testing/random';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { OwnSite, pathOf, versionNumber } from '../support/own-site.ts';

/**
 * Failures of a remote and of the server. In each case the pages of all other remotes must work. What no visitor
 * gets, since it is rejected when it is published, is in shell/server; files that are lost in transit are in
 * failing-releases. `npm test all` runs every case with one remote, and throwing code with each;
 * `npm run chaos` every case with each remote, or with the chosen ones.
 */

const chosen = process.env.CHAOS_REMOTES?.split(',');

const exampleRemote = 'mf-legal';

const isRun = (remote: string, name: string) =>
  chosen?.includes(remote) ?? (remote === exampleRemote || name === 'entry throws');

/** Returns what a loaded page shows: `name@version`, or its fallback. */
async function shownOn(page: Page): Promise<string> {
  const settled = page
    .locator('[data-remote], [data-failed-remote]')
    .filter({ has: page.getByRole('heading', { level: 1 }) })
    .first();
  await settled.waitFor({ timeout: 60_000 });
  const failed = await settled.getAttribute('data-failed-remote');
  return failed === null ? ((await settled.getAttribute('data-remote')) ?? '') : `fallback for ${failed}`;
}

let visitors = 0;

/** Opens a page as a new visitor in a network of their own; returns what it shows after hydration instead of the composed page. */
async function visit(browser: Browser, url: string, prepare?: (page: Page) => Promise<unknown>): Promise<string> {
  visitors += 1;
  const network = `203.0.${visitors >> 8}.${visitors & 255}`;
  const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': network } });
  try {
    const page = await context.newPage();
    await prepare?.(page);
    // A hanging script would delay the load event.
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    await untilHydrated(page, 60_000);
    return await shownOn(page);
  } finally {
    await context.close();
  }
}

async function expectOthersToWork(browser: Browser, site: OwnSite, failing: string): Promise<void> {
  for (const other of remotes.filter((name) => name !== failing))
    expect(await visit(browser, site.url + pathOf[other])).toMatch(new RegExp(`^${other}@`));
}

/** A site with one remote that fails repeatedly. */
class FailingRemote {
  readonly site = new OwnSite();
  readonly remote: string;
  readonly built: ReleaseVariant;
  /** The version that must be active. */
  good: string;
  #versions = 0;

  constructor(remote: string) {
    this.remote = remote;
    this.built = readBuiltRelease(remote);
    this.good = this.built.release.version;
  }

  get path(): string {
    return pathOf[this.remote] ?? '/';
  }

  nextVersion(): string {
    this.#versions += 1;
    return versionNumber(this.#versions);
  }

  next(edit?: (content: string, file: string) => string): ReleaseVariant {
    return variantOf(this.built, this.nextVersion(), edit);
  }

  /** Pushes a good release. */
  async releaseGood(): Promise<void> {
    const release = this.next();
    await this.site.push(release);
    this.good = release.release.version;
  }

  async expectGood(browser: Browser): Promise<void> {
    expect(await visit(browser, this.site.url + this.path)).toBe(`${this.remote}@${this.good}`);
    await expectOthersToWork(browser, this.site, this.remote);
  }
}

/** Releases that pass every check and fail in the browser. */
const brokenReleases: readonly (readonly [string, 'load' | 'render', (of: FailingRemote) => ReleaseVariant])[] = [
  ['entry throws', 'load', (of) => brokenVariantOf(of.built, of.nextVersion())],
  [
    'page throws at render',
    'render',
    (of) => handWritten(of.built, of.nextVersion(), "() => { throw new Error('chaos'); }"),
  ],
];

/** Number of kills of the server: more in `npm run chaos`. */
const kills = chosen ? 30 : 10;

for (const remote of remotes)
  test.describe(`when ${remote} fails`, () => {
    // Serial: the cases share a site, and each restores it.
    test.describe.configure({ mode: 'default' });

    let failing: FailingRemote;
    test.beforeAll(async () => {
      failing = new FailingRemote(remote);
      await failing.site.start();
      await failing.releaseGood();
    });
    test.afterAll(() => failing.site.stop());

    const chaos = (name: string, run: Parameters<typeof test>[2]) => {
      if (isRun(remote, name)) test(`${remote}, ${name}`, { tag: '@chaos' }, run);
    };

    for (const [name, kind, make] of brokenReleases)
      chaos(name, async ({ browser }) => {
        await failing.releaseGood();
        const release = make(failing);
        const { version } = release.release;
        await failing.site.push(release);
        await failing.expectGood(browser);
        await failing.site.untilCounted('daybook_remote_failures_total', { remote, version, kind });
        await failing.releaseGood();
        await failing.expectGood(browser);
      });

    chaos('no release yet', async ({ page, browser }) => {
      const site = new OwnSite({ isEmpty: true });
      try {
        await site.start();
        for (const other of remotes.filter((name) => name !== remote)) await site.push(readBuiltRelease(other));
        await page.goto(site.url + failing.path, { waitUntil: 'domcontentloaded' });
        expect(await shownOn(page)).toBe(`fallback for ${remote}`);
        await expectOthersToWork(browser, site, remote);
        await site.push(failing.built);
        await page.getByRole('button', { name: 'Try again' }).click();
        await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
      } finally {
        await site.stop();
      }
    });

    chaos(`server killed at ${kills} moments of a push`, async ({ browser }) => {
      test.setTimeout(300_000);
      const seed = Number(process.env.CHAOS_SEED) || Date.now() % 1_000_000;
      const random = randomFrom(seed);
      const site = new OwnSite();
      try {
        await site.start();
        const measured = variantOf(failing.built, versionNumber(kills + 1));
        const begun = performance.now();
        await site.push(measured);
        // The unit of all moments: a fixed one in ms would fit one machine.
        const runTime = performance.now() - begun;
        let active = measured;
        const outcomes = new Set<string>();
        for (let kill = 1; kill <= kills; kill += 1) {
          const next = variantOf(failing.built, versionNumber(kill));
          const pushed = pushRelease(site.url, site.tokens, next).then(
            () => true,
            () => false,
          );
          // The last after the activation, one in each part of the time before.
          if (kill === kills) await pushed;
          else await delay(((kill - 1 + random()) / (kills - 1)) * runTime);
          await site.kill();
          const isAcknowledged = await pushed;
          // The restarted server must serve one of the two completely, and what was acknowledged.
          await site.start();
          const found = await site.versionOf(remote);
          const whole = [...(isAcknowledged ? [] : [active]), next].find(({ release }) => release.version === found);
          expect(whole, `kill ${kill} of seed ${seed}: ${found}`).toBeDefined();
          outcomes.add(whole === next ? 'new' : 'former');
          for (const [file, content] of whole?.files ?? []) {
            const response = await fetch(`${site.url}/remotes/${remote}/${found}/${file}`);
            const same = response.ok && content.equals(Buffer.from(await response.arrayBuffer()));
            expect(same, `kill ${kill} of seed ${seed}: ${file} of ${found} has status ${response.status}`).toBe(true);
          }
          await site.push(next);
          active = next;
        }
        expect([...outcomes].toSorted(), `seed ${seed}`).toEqual(['former', 'new']);
        await expectOthersToWork(browser, site, remote);
      } finally {
        await site.stop();
      }
    });
  });

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fault, faultNamed } from '@daybook/testing/faults';
import { untilHydrated } from '@daybook/testing/page-checks';
import { randomFrom } from '@daybook/testing/random';
import { builtRelease, handWritten, type ReleaseVariant, readBuiltRelease, variantOf } from '@daybook/testing/releases';
import { untilMirrored } from '@daybook/testing/site';
import { remotes } from '@daybook/testing/workspaces';
import { type Browser, expect, type Page, type Route, test } from '@playwright/test';
import { FaultySite, pathOf, versionNumber } from '../support/faulty-site.ts';

/**
 * Failures of a remote, its origin, its files, the server and the disk. In each case the pages of all other remotes
 * must work. `npm test` runs the core cases; `npm run test:all` every case with one remote, and throwing code with each;
 * `npm run chaos` every case with each remote, or with the chosen ones.
 */

const chosen = process.env.CHAOS_REMOTES?.split(',');

const exampleRemote = 'mf-legal';
/** What no browser gets: all faults of a release and an origin are offered to a mirror, by a spec of packages/releases. */
const rejected = [
  'its file … does not match its SHA-384 in release.json',
  'it has the path of another remote',
  'release.json: it closed the connection',
  'release.json: it did not respond within … s',
];
const coreCases = ['origin down', ...rejected.slice(0, 2), 'entry 404', 'page throws at render'];

const isRun = (remote: string, name: string) =>
  chosen?.includes(remote) ?? (remote === exampleRemote || name === 'entry throws');

const tagsOf = (remote: string, name: string) =>
  remote === exampleRemote && coreCases.includes(name) ? ['@chaos'] : ['@chaos', '@full'];

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
async function visit(browser: Browser, address: string, prepare?: (page: Page) => Promise<unknown>): Promise<string> {
  visitors += 1;
  const network = `203.0.${visitors >> 8}.${visitors & 255}`;
  const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': network } });
  try {
    const page = await context.newPage();
    await prepare?.(page);
    // A hanging script would delay the load event.
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await untilHydrated(page, 60_000);
    return await shownOn(page);
  } finally {
    await context.close();
  }
}

async function expectOthersToWork(browser: Browser, site: FaultySite, failing: string): Promise<void> {
  for (const other of remotes.filter((name) => name !== failing))
    expect(await visit(browser, site.address + pathOf[other])).toMatch(new RegExp(`^${other}@`));
}

/** A site with one remote that fails repeatedly. */
class FailingRemote {
  readonly site = new FaultySite();
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

  offer(release: ReleaseVariant): void {
    this.site.origin(this.remote).offer(release);
  }

  /** Offers a good release and waits until it is active. */
  async releaseGood(): Promise<void> {
    const release = this.next();
    this.offer(release);
    await this.site.untilActive(this.remote, release.release.version);
    this.good = release.release.version;
  }

  async expectGood(browser: Browser): Promise<void> {
    expect(await visit(browser, this.site.address + this.path)).toBe(`${this.remote}@${this.good}`);
    await expectOthersToWork(browser, this.site, this.remote);
  }

  /** Expects that a fault is counted and not activated, and that the next good release is. */
  async expectRejection(browser: Browser, { reason, make }: Fault) {
    const labels = { remote: this.remote, reason };
    const before = await this.site.metric('daybook_release_problems_total', labels);
    const other = builtRelease(remotes.find((name) => name !== this.remote) ?? '');
    this.site.origin(this.remote).serve(make(this.next(), { active: this.built.release, other }));
    await this.site.untilCounted('daybook_release_problems_total', labels, before);
    await this.expectGood(browser);
    await this.releaseGood();
  }
}

const status = (code: number) => (route: Route) => route.fulfill({ status: code, body: 'chaos' });
/** Failures of the active release's files in transit to the browser. */
const filesInTransit: readonly (readonly [string, 'entry' | 'chunk', (route: Route) => Promise<void>])[] = [
  ['entry 404', 'entry', status(404)],
  ['chunk missing', 'chunk', status(404)],
];

/** Releases that pass every check and fail in the browser. */
const brokenReleases: readonly (readonly [string, 'load' | 'render', (of: FailingRemote) => ReleaseVariant])[] = [
  [
    'entry throws',
    'load',
    (of) =>
      of.next((content, file) => (file === of.built.release.entry ? `throw new Error('chaos');${content}` : content)),
  ],
  [
    'page throws at render',
    'render',
    (of) => handWritten(of.built, of.nextVersion(), "() => { throw new Error('chaos'); }"),
  ],
];

/** Number of kills of the server: more in `npm run chaos`. */
const kills = chosen ? 30 : 10;

/** Mounts a small disk; requires root. */
function mountDisk(folder: string, bytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Writes until the disk is full. */
function fillDisk(file: string): void {
  for (const size of [1_000_000, 100_000, 4096])
    for (let written = 0; written < 100; written += 1) {
      try {
        writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
}

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
      if (isRun(remote, name)) test(`${remote}, ${name}`, { tag: tagsOf(remote, name) }, run);
    };

    chaos('origin down', async ({ browser }) => {
      const origin = failing.site.origin(remote);
      await origin.stop();
      await failing.expectGood(browser);
      await origin.start();
      await failing.releaseGood();
    });

    for (const name of rejected) chaos(name, ({ browser }) => failing.expectRejection(browser, faultNamed(name)));

    /** Opens the page while a file of the active release fails in transit. */
    const visitWithout = (browser: Browser, file: string, respond: (route: Route) => Promise<void>) =>
      visit(browser, failing.site.address + failing.path, (page) =>
        page.route(`**/remotes/${remote}/${failing.good}/${file}`, respond),
      );

    const filesOfPage = () =>
      failing.built.release.routes.find((route) => route.path === failing.path)?.files.toReversed() ?? [];

    for (const [name, kind, respond] of filesInTransit)
      chaos(name, async ({ browser }) => {
        const before = failing.good;
        await failing.releaseGood();
        const chunk = filesOfPage().find((each) => each.endsWith('.js')) ?? '';
        const file = kind === 'entry' ? failing.built.release.entry : chunk;
        expect(await visitWithout(browser, file, respond)).toBe(`${remote}@${before}`);
        const labels = { remote, version: failing.good, kind: 'load' };
        await failing.site.untilCounted('daybook_remote_failures_total', labels);
        await failing.expectGood(browser);
      });

    chaos('style missing', async ({ browser }) => {
      await failing.releaseGood();
      // The document contains the styles of its own page inline.
      const style = filesOfPage().find((each) => each.endsWith('.css')) ?? '';
      expect(await visitWithout(browser, style, status(404))).toBe(`${remote}@${failing.good}`);
    });

    for (const [name, kind, make] of brokenReleases)
      chaos(name, async ({ browser }) => {
        await failing.releaseGood();
        const release = make(failing);
        const { version } = release.release;
        failing.offer(release);
        await failing.site.untilActive(remote, version);
        await failing.expectGood(browser);
        await failing.site.untilCounted('daybook_remote_failures_total', { remote, version, kind });
        await failing.releaseGood();
        await failing.expectGood(browser);
      });

    chaos('origin down before first start', async ({ page, browser }) => {
      const site = new FaultySite();
      try {
        await site.startOrigins();
        await site.origin(remote).stop();
        await site.startServer();
        await untilMirrored(
          site.address,
          remotes.filter((other) => other !== remote),
        );
        await page.goto(site.address + failing.path, { waitUntil: 'domcontentloaded' });
        expect(await shownOn(page)).toBe(`fallback for ${remote}`);
        await expectOthersToWork(browser, site, remote);
        await site.origin(remote).start();
        await site.untilActive(remote, failing.built.release.version);
        await page.getByRole('button', { name: 'Try again' }).click();
        await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
      } finally {
        await site.stop();
      }
    });

    chaos(`server killed at ${kills} moments of a mirror run`, async ({ browser }) => {
      test.setTimeout(300_000);
      const seed = Number(process.env.CHAOS_SEED) || Date.now() % 1_000_000;
      const random = randomFrom(seed);
      const site = new FaultySite();
      try {
        await site.start();
        const origin = site.origin(remote);
        let active = failing.built;
        await site.untilActive(remote, active.release.version);
        /** Offers a release; resolves when the server has requested its description. */
        const offer = async (next: ReleaseVariant) => {
          origin.offer(next);
          await expect.poll(() => origin.polls, { intervals: [5], timeout: 40_000 }).toBeGreaterThan(0);
        };
        const untilActive = ({ release }: ReleaseVariant) =>
          expect.poll(() => site.activeVersion(remote), { intervals: [10], timeout: 40_000 }).toBe(release.version);
        const measured = variantOf(failing.built, versionNumber(kills + 1));
        await offer(measured);
        const begun = performance.now();
        await untilActive(measured);
        // The unit of all moments: a fixed one in ms would fit one machine.
        const runTime = performance.now() - begun;
        active = measured;
        const outcomes = new Set<string>();
        for (let kill = 1; kill <= kills; kill += 1) {
          const next = variantOf(failing.built, versionNumber(kill));
          await offer(next);
          // The first before any file is fetched, the last after the activation, one in each part of the time between.
          if (kill === kills) await untilActive(next);
          else if (kill > 1) await delay(((kill - 2 + random()) / (kills - 2)) * 1.2 * runTime);
          await site.killServer();
          // The restarted server must find one of the two and serve it completely, while the origin is down.
          await origin.stop();
          await site.startServer();
          const found = await site.activeVersion(remote);
          const whole = [active, next].find(({ release }) => release.version === found);
          expect(whole, `kill ${kill} of seed ${seed}: ${found}`).toBeDefined();
          outcomes.add(whole === next ? 'new' : 'former');
          for (const [file, content] of whole?.files ?? []) {
            const response = await fetch(`${site.address}/remotes/${remote}/${found}/${file}`);
            const same = response.ok && content.equals(Buffer.from(await response.arrayBuffer()));
            expect(same, `kill ${kill} of seed ${seed}: ${file} of ${found} has status ${response.status}`).toBe(true);
          }
          await origin.start();
          await site.untilActive(remote, next.release.version);
          active = next;
        }
        expect([...outcomes].toSorted(), `seed ${seed}`).toEqual(['former', 'new']);
        await expectOthersToWork(browser, site, remote);
      } finally {
        await site.stop();
      }
    });

    chaos('disk full', async ({ browser }) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'daybook-chaos-disk-'));
      const isMounted = mountDisk(folder, 6_000_000);
      const releases = path.join(folder, 'releases');
      mkdirSync(releases);
      const site = new FaultySite({ releasesFolder: releases });
      try {
        test.skip(!isMounted, 'a small disk cannot be mounted');
        await site.start();
        const { version } = failing.built.release;
        await site.untilActive(remote, version);
        const filler = path.join(folder, 'filler');
        fillDisk(filler);
        const next = variantOf(failing.built, versionNumber(1));
        site.origin(remote).offer(next);
        await site.untilCounted('daybook_release_problems_total', { remote, reason: 'disk-full' });
        expect(await visit(browser, site.address + failing.path)).toBe(`${remote}@${version}`);
        await expectOthersToWork(browser, site, remote);
        rmSync(filler);
        await site.untilActive(remote, next.release.version);
      } finally {
        if (isMounted) {
          await site.stop();
          execFileSync('umount', [folder]);
        }
        rmSync(folder, { recursive: true });
      }
    });
  });

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { releaseFileName } from '@daybook/contract/release';
import { untilHydrated } from '@daybook/testing/page-checks';
import { randomFrom } from '@daybook/testing/random';
import { handWritten, type ReleaseVariant, readBuiltRelease, variantOf } from '@daybook/testing/releases';
import { untilMirrored } from '@daybook/testing/site';
import { remotes } from '@daybook/testing/workspaces';
import { type Browser, expect, type Page, type Route, test } from '@playwright/test';
import { type Fault, FaultySite, pathOf, versionNumber } from '../support/faulty-site.ts';

/**
 * Failures of a remote, its origin, its files, the server and the disk. In each case the pages of all other remotes
 * must work. `npm test` runs the core cases; `npm run test:all` every case with one remote, and those that depend on a
 * remote's code with each; `npm run chaos` every case with each remote, or with the chosen ones.
 */

const chosen = process.env.CHAOS_REMOTES?.split(',');

const exampleRemote = 'mf-legal';
const coreCases = ['origin down', 'a file tampered with', 'colliding route', 'entry 404', 'page throws at render'];
const casesOfEachRemote = ['entry throws', 'chunk missing', 'style missing'];

const isRun = (remote: string, name: string) =>
  chosen?.includes(remote) ?? (remote === exampleRemote || casesOfEachRemote.includes(name));

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

/** Opens a page as a new visitor; returns what it shows after hydration instead of the composed page. */
async function visit(browser: Browser, address: string, prepare?: (page: Page) => Promise<unknown>): Promise<string> {
  const context = await browser.newContext();
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

  offer(release: ReleaseVariant, fault?: Fault): void {
    this.site.origin(this.remote).offer(release, fault);
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

  /**
   * Expects that a bad release is counted and not activated, and that the next good one is. Not in a browser, which such
   * a release does not reach.
   */
  async expectRejection(release: ReleaseVariant, fault: Fault | undefined, reason: string) {
    const labels = { remote: this.remote, reason };
    const before = await this.site.metric('daybook_release_problems_total', labels);
    this.offer(release, fault);
    await this.site.untilCounted('daybook_release_problems_total', labels, before);
    for (const [remote, page] of Object.entries(pathOf)) {
      const version = remote === this.remote ? this.good : readBuiltRelease(remote).release.version;
      const html = await (await fetch(this.site.address + page)).text();
      expect(html).toContain(`data-remote="${remote}@${version}"`);
    }
    await this.releaseGood();
  }
}

type Change = (release: ReleaseVariant['release']) => object;

const withoutFile = (files: ReleaseVariant['release']['files'], file: string) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== file));

function firstFileOf({ release }: ReleaseVariant): string {
  const file = release.routes[0]?.files[0];
  if (!file) throw new Error(`${release.name} has a page without files.`);
  return file;
}

type Respond = Fault['respond'];

const fail =
  (code: number): Respond =>
  (response) =>
    response.writeHead(code).end('chaos');
const send =
  (change: (content: Buffer) => Buffer): Respond =>
  (response, content) => {
    const changed = change(content);
    response.writeHead(200, { 'Content-Length': changed.length }).end(changed);
  };
const sendHtml: Respond = (response) =>
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>Parked');
const cutOff: Respond = (response, content) =>
  response
    .writeHead(200, { 'Content-Length': content.length })
    .write(content.subarray(0, content.length / 2), () => response.destroy());
const tamper = send((content) => Buffer.from(content.map((byte, index) => (index === 0 ? byte + 1 : byte))));
const grow = send((content) => Buffer.concat([content, Buffer.alloc(1_000_000, 32)]));
const description = () => releaseFileName;

/** Faults of the origin: which file is affected, its response, and the `reason` label that counts them. */
const originFaults: readonly (readonly [string, (release: ReleaseVariant) => string, Respond, string])[] = [
  ['release.json 404', description, fail(404), 'missing'],
  ['release.json 503', description, fail(503), 'answer'],
  ['release.json is HTML', description, sendHtml, 'malformed'],
  ['release.json cut off', description, cutOff, 'unreachable'],
  ['release.json hangs', description, () => undefined, 'timeout'],
  ['a file missing', firstFileOf, fail(404), 'missing'],
  ['a file tampered with', firstFileOf, tamper, 'tampered'],
  ['a file larger than said', firstFileOf, grow, 'tampered'],
];

/** Invalid values in release.json. */
const invalidDescriptions: readonly (readonly [string, Change, string])[] = [
  [
    'a file too large',
    ({ entry, files }) => ({ files: { ...files, [entry]: { ...files[entry], size: 1_000_000_000 } } }),
    'too-large',
  ],
  ['../ in a file name', ({ entry, files }) => ({ files: { ...files, '../../evil.js': files[entry] } }), 'malformed'],
  ['wrong contract', () => ({ contract: 99 }), 'contract'],
  [
    'colliding route',
    ({ name, routes }) => {
      const other = remotes.find((remote) => remote !== name) ?? '';
      const [route] = readBuiltRelease(other).release.routes;
      return { routes: [...routes, { ...routes[0], path: route?.path }] };
    },
    'collision',
  ],
  ['entry not in the release', ({ entry, files }) => ({ files: withoutFile(files, entry) }), 'incomplete'],
  [
    "a page's chunk not in the release",
    ({ files, routes }) => ({ files: withoutFile(files, routes[0]?.files[0] ?? '') }),
    'incomplete',
  ],
];

const status = (code: number) => (route: Route) => route.fulfill({ status: code, body: 'chaos' });
const tampered = (route: Route) =>
  route.fulfill({ status: 200, contentType: 'text/javascript', body: 'document.title = "chaos";' });
/** Failures of the active release's files in transit to the browser. */
const filesInTransit: readonly (readonly [string, 'entry' | 'chunk', (route: Route) => Promise<void>])[] = [
  ['entry 404', 'entry', status(404)],
  ['entry 500', 'entry', status(500)],
  ['entry tampered with', 'entry', tampered],
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
  [
    'page throws in an effect',
    'render',
    (of) =>
      handWritten(
        of.built,
        of.nextVersion(),
        "function Page() { React.useEffect(() => { throw new Error('chaos'); }); return React.createElement('p', null, 'chaos'); }",
      ),
  ],
];

/** Number of kills of the server: more in `npm run chaos`. `crash.full.spec.ts` kills the mirror alone much more often. */
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

    for (const [name, fileOf, respond, reason] of originFaults)
      chaos(name, async () => {
        const release = failing.next();
        await failing.expectRejection(release, { file: fileOf(release), respond }, reason);
      });

    for (const [name, change, reason] of invalidDescriptions)
      chaos(name, async () => {
        const { release, files } = failing.next();
        const invalid = { release: { ...release, ...change(release) }, files };
        await failing.expectRejection(invalid, undefined, reason);
      });

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

    chaos('entry hangs', async ({ page }) => {
      await failing.releaseGood();
      const reports: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/_reports')) reports.push(request.postData() ?? '');
      });
      // Never responds: the page's own timeout applies.
      await page.route(`**/remotes/${remote}/${failing.good}/${failing.built.release.entry}`, () => undefined);
      await page.clock.install();
      await page.goto(failing.site.address + failing.path, { waitUntil: 'domcontentloaded' });
      await page.keyboard.press('Shift');
      const fallback = page.locator(`[data-failed-remote^="${remote}@"]`);
      await expect(async () => {
        await page.clock.runFor(10_000);
        await expect(fallback).toBeVisible({ timeout: 100 });
      }).toPass();
      // A stalled link is the visitor's: it says nothing about the release.
      expect(reports).toEqual([]);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.locator(`[data-remote="${remote}@${failing.good}"]`)).toBeVisible();
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
        for (let kill = 1; kill <= kills; kill += 1) {
          const next = variantOf(failing.built, versionNumber(kill));
          origin.offer(next);
          await expect.poll(() => origin.polls, { intervals: [5], timeout: 40_000 }).toBeGreaterThan(0);
          await delay(random() * 60);
          await site.killServer();
          // The restarted server must find one of the two and serve it completely, while the origin is down.
          await origin.stop();
          await site.startServer();
          const found = await site.activeVersion(remote);
          const whole = [active, next].find(({ release }) => release.version === found);
          expect(whole, `kill ${kill} of seed ${seed}: ${found}`).toBeDefined();
          for (const file of Object.keys(whole?.release.files ?? {})) {
            const response = await fetch(`${site.address}/remotes/${remote}/${found}/${file}`);
            expect(response.status, `kill ${kill} of seed ${seed}: ${file} of ${found}`).toBe(200);
            await response.arrayBuffer();
          }
          await origin.start();
          await site.untilActive(remote, next.release.version);
          active = next;
        }
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

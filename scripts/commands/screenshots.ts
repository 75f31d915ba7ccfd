import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { buildStale } from '../build-stale.ts';
import { findBrowser } from '../find-browser.ts';
import { findFreePort } from '../ports.ts';
import { startPostgres } from '../postgres.ts';
import { runCommand } from '../run-command.ts';
import { migrate, startSite } from '../site.ts';
import { root } from '../workspaces.ts';

const folder = path.join(root, 'screenshots');

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
const schemes = ['light', 'dark'] as const;

/** Query parameters that show a page as a visitor in the middle of the journey sees it. */
const queries: Readonly<Record<string, string>> = {
  '/continue-registration': '?id=7&email=reader%40example.com',
  '/thank-you': '?email=reader%40example.com',
  '/ebook-download': '?email=reader%40example.com',
  '/redirect': '?url=https%3A%2F%2Fexample.com%2Foffer',
};

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Brings the page into the state to be shown. */
  readonly arrive?: (page: Page) => Promise<void>;
}

const openDialog = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /subscribe/i })
    .first()
    .click();

/** States that no address leads to. */
const states: readonly Shot[] = [
  { name: 'home-dialog', path: '/', arrive: openDialog },
  {
    name: 'home-dialog-error',
    path: '/',
    arrive: async (page) => {
      await openDialog(page);
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'home-dialog-completed',
    path: '/',
    arrive: async (page) => {
      await openDialog(page);
      await page.getByRole('dialog').getByRole('textbox').fill('reader@example.com');
      await page.keyboard.press('Enter');
      await page.getByText('Success!', { exact: true }).waitFor();
    },
  },
  {
    name: 'unsubscribe-confirmed',
    path: '/unsubscribe',
    arrive: async (page) => {
      await page.getByRole('textbox').fill('reader@example.com');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Unsubscribe Request Submitted' }).waitFor();
    },
  },
  { name: 'registration-not-found', path: '/continue-registration' },
  { name: 'thank-you-nothing-known', path: '/thank-you' },
  { name: 'not-found', path: '/no-such-page' },
];

async function routesOf(address: string): Promise<readonly Shot[]> {
  const html = await (await fetch(address)).text();
  const [, json = '{}'] = /id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  const remotes: { routes: { path: string }[] }[] = JSON.parse(json).registry.remotes;
  return remotes
    .flatMap(({ routes }) => routes)
    .map((route) => ({
      name: route.path === '/' ? 'home' : route.path.slice(1).replaceAll('/', '-'),
      path: route.path + (queries[route.path] ?? ''),
    }));
}

async function shoot(browser: Browser, address: string, { name, path: pathname, arrive }: Shot): Promise<void> {
  for (const colorScheme of schemes) {
    for (const viewport of sizes) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      await page.goto(address + pathname);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await arrive?.(page);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({
        path: path.join(folder, `${name}-${viewport.width}-${colorScheme}.png`),
        fullPage: !arrive,
      });
      await context.close();
    }
  }
}

/** `npm run screenshots`: pictures of every page and state, phone and desktop, light and dark, in `screenshots/`. */
await runCommand(async (started) => {
  const browser = await chromium.launch({ executablePath: findBrowser(console.log) });
  started.defer(() => browser.close());
  await buildStale(console.log);
  const data = mkdtempSync(path.join(tmpdir(), 'daybook-screenshots-'));
  started.defer(() => rmSync(data, { recursive: true, force: true }));
  const postgres = await startPostgres({ folder: path.join(data, 'postgres'), persistent: false });
  started.defer(() => postgres.stop());
  await migrate(postgres.url);
  const cookieSecret = 'screenshots-'.repeat(3);
  const site = await startSite({ port: await findFreePort(), databaseUrl: postgres.url, cookieSecret });
  started.defer(() => site.stop());

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const shots = [...(await routesOf(site.address)), ...states];
  for (const [index, shot] of shots.entries()) {
    await shoot(browser, site.address, shot);
    console.log(`  ${index + 1}/${shots.length} ${shot.name}`);
  }
  console.log(`The pictures are in ${path.relative(process.cwd(), folder)}/.`);
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '@daybook/testing/browser';
import { findFreePort } from '@daybook/testing/ports';
import { startPostgres } from '@daybook/testing/postgres';
import { migrate, startSite } from '@daybook/testing/site';
import { root } from '@daybook/testing/workspaces';
import type { Browser } from 'playwright';
import { type PageState, pageStates } from '../../e2e/support/page-states.ts';
import { buildStale } from '../build-stale.ts';
import { runCommand } from '../run-command.ts';

const sources = path.join(root, 'shell/pictures');
const results = path.join(root, 'shell/public');

/** `npm run pictures`: draws the pictures in `shell/pictures` anew; they are kept in the repository, since few builds need them. */
export const drawPictures = (): Promise<never> =>
  runCommand(async (started) => {
    const browser = await launchBrowser(started, {
      // The font lies in another folder than the picture.
      args: ['--allow-file-access-from-files'],
    });
    const page = await browser.newPage();
    for (const source of readdirSync(sources)) {
      await page.goto(pathToFileURL(path.join(sources, source)).href);
      await page.evaluate(() => document.fonts.ready);
      const picture = source.replace(/\.html$/, '.png');
      await page.locator('body').screenshot({ path: path.join(results, picture) });
      console.log(`Drew shell/public/${picture}`);
    }
  });

const screenshotsFolder = path.join(root, 'screenshots');

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
const schemes = ['light', 'dark'] as const;

/** The file name of a state's picture: its name in hyphens. */
const fileNameOf = ({ name }: PageState) => name.replace(/^the /, '').replaceAll(/[^a-z0-9]+/gi, '-');

async function shoot(browser: Browser, address: string, state: PageState): Promise<void> {
  for (const colorScheme of schemes) {
    for (const viewport of sizes) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      // The heading's face is shown where it is there at once, as to a visitor who comes from another page.
      for (const each of ['/', state.path]) {
        await page.goto(address + each);
        await page.locator('#root[data-ready]').waitFor({ state: 'attached' });
      }
      await page.getByRole('heading', { level: 1 }).waitFor();
      await state.arrive?.(page);
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({
        path: path.join(screenshotsFolder, `${fileNameOf(state)}-${viewport.width}-${colorScheme}.png`),
        fullPage: !state.arrive,
      });
      await context.close();
    }
  }
}

/** `npm run screenshots`: pictures of every page and state, phone and desktop, light and dark, in `screenshots/`. */
export const takeScreenshots = (): Promise<never> =>
  runCommand(async (started) => {
    const browser = await launchBrowser(started);
    await buildStale(console.log);
    const data = mkdtempSync(path.join(tmpdir(), 'daybook-screenshots-'));
    started.defer(() => rmSync(data, { recursive: true, force: true }));
    const postgres = await startPostgres({ folder: path.join(data, 'postgres'), persistent: false });
    started.defer(() => postgres.stop());
    await migrate(postgres.url);
    const cookieSecret = 'screenshots-'.repeat(3);
    const site = await startSite({
      port: await findFreePort(),
      databaseUrl: postgres.url,
      cookieSecret,
      releasesFolder: path.join(data, 'releases'),
    });
    started.defer(() => site.stop());

    rmSync(screenshotsFolder, { recursive: true, force: true });
    mkdirSync(screenshotsFolder);
    for (const [index, state] of pageStates.entries()) {
      await shoot(browser, site.address, state);
      console.log(`  ${index + 1}/${pageStates.length} ${state.name}`);
    }
    console.log(`The pictures are in ${path.relative(process.cwd(), screenshotsFolder)}/.`);
  });

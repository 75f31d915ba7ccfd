import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '@daybook/testing/browser';
import { root } from '@daybook/testing/workspaces';

const sources = path.join(root, 'shell/pictures');
const results = path.join(root, 'shell/public');

/** Renders the pictures in `shell/pictures`. Committed, since few builds need them. */
export async function drawPictures(started: AsyncDisposableStack): Promise<void> {
  const browser = await launchBrowser(started, {
    // The font is in another folder than the picture.
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
}

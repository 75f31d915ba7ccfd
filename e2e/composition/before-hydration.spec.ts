import { expect, newEmail, signUp, stubSponsors, test, untilReady } from '@daybook/testing/browser-test';
import { entriesOf } from '@daybook/testing/entries';
import { signupDialog, subscribeButton } from '@daybook/testing/signup-dialog';
import type { Page } from '@playwright/test';
import { choiceForm } from '../pages/privacy-choices.ts';

/** What proxies, extensions and translators do to a page's HTML before its scripts run. */
const changes = {
  'no proxy': undefined,
  'a proxy that hides e-mail addresses': (html: string) =>
    html.replace(
      /<a href="mailto:[^"]*">[^<]*<\/a>/g,
      '<a href="/cdn/email" class="hidden-email">[email protected]</a>',
    ),
  'an extension': (html: string) => html.replace(/<form[^>]*>|<h1[^>]*>/g, (tag) => `${tag}<i data-extension=""></i>`),
  'a translator': (html: string) =>
    html.replace(/>([A-Z][^<>{}]{3,})<(?=\/(?:p|h1|h2|label|span|button))/g, '><font><font>$1</font></font><'),
};

/** Opens a page whose scripts are held, as on a slow network; returns a function that waits for hydration. */
async function arrive(page: Page, url: string, change?: (html: string) => string): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  if (change)
    await page.route(
      ({ pathname }) => pathname === url,
      async (route) => {
        const response = await route.fetch();
        const html = await response.text();
        const start = html.indexOf('<div id="daybook-page">');
        const body = html.slice(0, start) + change(html.slice(start));
        expect(body).not.toBe(html);
        await route.fulfill({ response, body });
      },
    );
  await page.goto(url, { waitUntil: 'commit' });
  return () => {
    released.resolve();
    return untilReady(page);
  };
}

/** Returns the height of the bar that shows that the page is loading. */
const loadingBar = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement, '::before').height);

test('a click on Subscribe before hydration shows the loading bar, then the dialog', async ({ page }) => {
  const start = await arrive(page, '/');
  // Preloaded while the scripts of the shell are loading.
  await expect(page.locator('head > link[rel="preload"][href^="/remotes/mf-signup/"]')).not.toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await loadingBar(page)).toBe('auto');
  for (let presses = 0; presses < 2; presses += 1) await subscribeButton(page).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await loadingBar(page)).toBe('3px');
  await start();
  await expect(signupDialog(page).email).toBeFocused();
  expect(await loadingBar(page)).toBe('auto');
});

test('offers submitted before hydration are saved', async ({ page, database }) => {
  await stubSponsors(page);
  const readerEmail = newEmail();
  const start = await arrive(page, `/continue-registration?id=${await signUp(page, readerEmail)}`);
  await page.getByRole('checkbox', { name: /hearing test/ }).check();
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  // Does nothing, as after hydration.
  await page.getByRole('button', { name: 'No thanks' }).click();
  await start();
  await page.waitForURL(/\/thank-you\?/);
  await expect.poll(() => entriesOf(database, readerEmail)).toMatchObject([{ offers: ['audien'] }]);
});

test.describe('on a changed page', () => {
  test.use({
    expectedMessages: [
      /[Hh]ydrat|Minified React error|net::ERR_FAILED|was preloaded using link preload|Cannot read properties of null|has no #|NotFoundError|removeChild|insertBefore|not a child of this node/,
    ],
  });

  for (const [what, change] of Object.entries(changes)) {
    const tag = ['no proxy', 'a translator'].includes(what) ? [] : '@full';
    test(`a form sent early through ${what} is sent once`, { tag }, async ({ page, consoleLines }) => {
      const start = await arrive(page, '/privacy-rights-request', change);
      const { email, name, button, confirmation } = choiceForm(page);
      await email.fill('early@example.com');
      await page.locator('[name=requestType]').selectOption('delete');
      await page.locator('[name=comments]').fill('Please be quick.');
      await name.fill('Ann Early');
      await name.press('Enter');
      expect(await loadingBar(page)).toBe('3px');
      await button.click();
      // The page has to know which of a form's buttons was pressed.
      await page.evaluate(() =>
        addEventListener('submit', ({ submitter }) => {
          document.documentElement.dataset.submitter = submitter?.getAttribute('type') ?? 'none';
        }),
      );
      await start();
      await expect(confirmation).toBeVisible();
      const [line = '', ...others] = consoleLines.filter((each) => each.includes('early@example.com'));
      expect(others).toEqual([]);
      expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
        email: 'early@example.com',
        name: 'Ann Early',
        requestType: 'delete',
        comments: 'Please be quick.',
      });
      await expect(page.locator('html')).toHaveAttribute('data-submitter', 'submit');
      await expect(page).toHaveURL('/privacy-rights-request');
    });
  }

  test('a press on a page whose scripts fail is explained at once, and links work', async ({ page }) => {
    await page.route('**/assets/shell.*.js', (route) => route.abort());
    await page.goto('/', { waitUntil: 'load' });
    const note = page.getByRole('alert');
    await expect(note).toBeHidden();
    await subscribeButton(page).click();
    await expect(note).toContainText('has not finished loading');
    await expect(note).toBeInViewport();
    await note.getByRole('link').click();
    await expect(note).toBeHidden();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Unsubscribe', exact: true }).click();
    await page.getByRole('textbox').fill('reader@example.com');
    await page.getByRole('textbox').press('Enter');
    await expect(page.getByRole('alert')).toContainText('has not finished loading');
    await expect(page.getByRole('textbox')).toHaveValue('reader@example.com');
  });
});

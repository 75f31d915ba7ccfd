import type { Page } from '@playwright/test';
import { choiceForm } from '../pages/privacy-choices.ts';
import { headingOf } from '../support/built-pages.ts';
import { holdScripts } from '../support/hold-scripts.ts';
import { signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, test, untilReady } from '../support/test.ts';

/** What proxies, extensions and translators do to a page's HTML before its scripts run. */
const changes = {
  'a proxy that hides e-mail addresses': (html: string) =>
    html.replace(
      /<a href="mailto:[^"]*">[^<]*<\/a>/g,
      '<a href="/cdn/email" class="hidden-email">[email protected]</a>',
    ),
  'a proxy that formats HTML': (html: string) => html.replace(/(?<=<\/\w+>)(?=<p|<div|<h2)/g, '\n'),
  'an extension that adds elements to forms and sections': (html: string) =>
    html.replace(/<form[^>]*>|<h1[^>]*>/g, (tag) => `${tag}<i data-extension=""></i>`),
  'a translator': (html: string) =>
    html.replace(/>([A-Z][^<>{}]{3,})<(?=\/(?:p|h1|h2|label|span|button))/g, '><font><font>$1</font></font><'),
};

/** Opens a changed page whose scripts are held; returns a function that releases them and waits for hydration. */
async function openChanged(page: Page, path: string, change: (html: string) => string) {
  const release = await holdScripts(page);
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const [, head = '', root = ''] = /^(.*?)(<div id="daybook-page">.*)$/s.exec(html) ?? [];
      const changed = head + change(root);
      expect(changed).not.toBe(html);
      await route.fulfill({ response, body: changed });
    },
  );
  await page.goto(path, { waitUntil: 'commit' });
  return async () => {
    release();
    await untilReady(page);
  };
}

test.use({
  expectedMessages: [
    /[Hh]ydrat|Minified React error|net::ERR_FAILED|was preloaded using link preload|Cannot read properties of null|has no #|NotFoundError|removeChild|insertBefore|not a child of this node/,
  ],
});

for (const [what, change] of Object.entries(changes)) {
  const tag = what === 'a translator' ? [] : '@full';
  test(`a form sent before hydration is sent once, on a page changed by ${what}`, { tag }, async ({
    page,
    consoleLines,
  }) => {
    const start = await openChanged(page, '/privacy-rights-request', change);
    await page.locator('[name=email]').fill('early@example.com');
    await page.locator('[name=requestType]').selectOption('delete');
    await page.locator('[name=comments]').fill('Please be quick.');
    await page.locator('[name=name]').fill('Ann Early');
    await page.locator('[name=name]').press('Enter');
    await start();
    await expect(choiceForm(page).confirmation).toBeVisible();
    const lines = consoleLines.filter((line) => line.includes('early@example.com'));
    expect(lines).toHaveLength(1);
    for (const value of ['Ann Early', '"delete"', 'Please be quick.']) expect(lines[0]).toContain(value);
  });
}

test('what was typed, checked, opened and pressed before hydration stays, on a page changed by an extension', {
  tag: '@full',
}, async ({ page }) => {
  const change = changes['an extension that adds elements to forms and sections'];
  const start = await openChanged(page, '/limit-sensitive-info', change);
  await page.locator('[value=health]').check();
  await page.locator('[name=email]').fill('early@example.com');
  await start();
  await expect(page.locator('[name=email]')).toHaveValue('early@example.com');
  await expect(page.locator('[name=email]')).toBeFocused();
  await expect(page.locator('[value=health]')).toBeChecked();
  await page.unrouteAll();

  const startHome = await openChanged(page, '/', change);
  // The first one is open at the beginning.
  for (const index of [0, 2]) await page.locator('summary').nth(index).click();
  await page.locator('main button').first().click();
  await startHome();
  await expect(signupDialog(page).email).toBeFocused();
  const open = () => page.locator('main details').evaluateAll((all) => all.map((each) => each.hasAttribute('open')));
  await expect.poll(open).toEqual([false, false, true, false]);
});

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
  await expect(page).toHaveURL('/unsubscribe');
  await page.getByRole('textbox').fill('reader@example.com');
  await page.getByRole('textbox').press('Enter');
  await expect(page.getByRole('alert')).toContainText('has not finished loading');
  await expect(page.getByRole('textbox')).toHaveValue('reader@example.com');
});

test('a press on a page that loads slowly is explained after five seconds, and counts once it has loaded', {
  tag: '@full',
}, async ({ page }) => {
  await page.clock.install();
  const start = await openChanged(page, '/', (html) => `${html}\n`);
  await page.clock.pauseAt(Date.now() + 60_000);
  await subscribeButton(page).click();
  await page.clock.runFor(4_000);
  await expect(page.getByRole('alert')).toBeHidden();
  await page.clock.runFor(1_500);
  await expect(page.getByRole('alert')).toContainText('What you pressed counts once it has');
  await start();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(signupDialog(page).email).toBeFocused();
});

test('the page works after an extension has wrapped, removed and added elements, also with the id “root”', {
  tag: '@full',
}, async ({ page }) => {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.body) return;
      observer.disconnect();
      document.body.prepend(Object.assign(document.createElement('div'), { id: 'root' }));
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/unsubscribe');
  await expect(page.getByRole('textbox')).toHaveCount(1);
  await page.evaluate(() => {
    document.querySelector('header')?.remove();
    const main = document.querySelector('main');
    const around = document.createElement('div');
    main?.replaceWith(around);
    if (main) around.append(main);
  });
  await page.getByRole('textbox').fill('reader@example.com');
  await page.getByRole('textbox').press('Enter');
  await expect(choiceForm(page).confirmation).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(headingOf('/terms'));
  await expect(page.getByRole('banner')).toBeVisible();
});

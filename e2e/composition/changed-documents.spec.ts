import type { Page } from '@playwright/test';
import { openSignupDialog, signupDialog, subscribeButton } from '../support/signup-dialog.ts';
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

/** Delays the shell's scripts; returns a function that releases them. */
async function openChanged(page: Page, address: string, change: (html: string) => string) {
  const released = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.route(
    (url) => url.pathname === address,
    async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const [, head = '', root = ''] = /^(.*?)(<div id="daybook-page">.*)$/s.exec(html) ?? [];
      const changed = head + change(root);
      expect(changed).not.toBe(html);
      await route.fulfill({ response, body: changed });
    },
  );
  await page.goto(address, { waitUntil: 'commit' });
  return async () => {
    released.resolve();
    await untilReady(page);
  };
}

test.use({
  expectedMessages: [
    /[Hh]ydrat|Minified React error|net::ERR_FAILED|was preloaded using link preload|Cannot read properties of null|has no #|NotFoundError|removeChild|insertBefore|not a child of this node/,
  ],
});

for (const [what, change] of Object.entries(changes)) {
  test(`a form that was filled in and sent before hydration is sent once, on a page changed by ${what}`, async ({
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
    await expect(page.getByRole('heading', { name: 'Request Submitted Successfully' })).toBeVisible();
    const lines = consoleLines.filter((line) => line.includes('early@example.com'));
    expect(lines).toHaveLength(1);
    for (const value of ['Ann Early', '"delete"', 'Please be quick.']) expect(lines[0]).toContain(value);
  });

  test(`text typed before hydration keeps its place and focus, on a page changed by ${what} @full`, async ({
    page,
  }) => {
    const start = await openChanged(page, '/limit-sensitive-info', change);
    await page.locator('[value=health]').check();
    await page.locator('[name=email]').fill('early@example.com');
    await start();
    await expect(page.locator('[name=email]')).toHaveValue('early@example.com');
    await expect(page.locator('[name=email]')).toBeFocused();
    await expect(page.locator('[value=health]')).toBeChecked();
  });

  test(`a press on Subscribe before hydration opens the dialog, on a page changed by ${what} @full`, async ({
    page,
  }) => {
    const start = await openChanged(page, '/', change);
    await page.locator('main button').first().click();
    await start();
    await expect(signupDialog(page).email).toBeFocused();
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
  await expect(page).toHaveURL('/unsubscribe');
  await page.getByRole('textbox').fill('reader@example.com');
  await page.getByRole('textbox').press('Enter');
  await expect(page.getByRole('alert')).toContainText('has not finished loading');
  await expect(page.getByRole('textbox')).toHaveValue('reader@example.com');
});

test('a press on a page whose script throws is explained', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'getElementById', { value: () => null });
  });
  await page.goto('/unsubscribe', { waitUntil: 'load' });
  await page.getByRole('textbox').press('Enter');
  await expect(page.getByRole('alert')).toContainText('has not finished loading');
});

test('a press on a page that loads slowly is explained after five seconds, and counts once it has loaded', async ({
  page,
}) => {
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

for (const path of ['/terms', '/accessible-view'])
  test(`F8, pressed as the first thing on ${path}, reaches the notifications`, async ({ page }) => {
    await page.goto(path, { waitUntil: 'load' });
    await page.keyboard.press('F8');
    await expect(page.getByRole('region', { name: /F8/ }).locator('ol')).toBeFocused();
  });

/** Returns the list of notifications, which F8 focuses. */
const notifications = (page: Page) => page.getByRole('region', { name: /F8/ }).locator('ol');

test('F8, pressed while the page hydrates, reaches the notifications', async ({ page }) => {
  // After the first script has handed over the early presses, before React has rendered.
  await page.addInitScript(() => {
    let take: () => unknown;
    Object.defineProperty(globalThis, 'daybookEarlyEvents', {
      set(given) {
        take = given;
      },
      get: () => () => {
        const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { code: 'F8', bubbles: true }));
        queueMicrotask(() => queueMicrotask(press));
        return take();
      },
    });
  });
  await page.goto('/unsubscribe');
  await expect(notifications(page)).toBeFocused();
});

test('F8 reaches the notifications with one press once a form has loaded them', async ({ page }) => {
  await page.goto('/unsubscribe');
  await page.getByRole('textbox').focus();
  await notifications(page).waitFor({ state: 'attached' });
  await page.keyboard.press('F8');
  await expect(notifications(page)).toBeFocused();
});

test('F8 reaches the notifications in the dialog and after it, also without toggle events of dialogs', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const stop = (event: Event) => event.target instanceof HTMLDialogElement && event.stopImmediatePropagation();
    addEventListener('toggle', stop, true);
  });
  const { dialog } = await openSignupDialog(page);
  await dialog.locator('ol').waitFor({ state: 'attached' });
  await page.keyboard.press('F8');
  await expect(notifications(page)).toBeFocused();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await page.keyboard.press('F8');
  await expect(notifications(page)).toBeFocused();
});

test('F8 loads the notifications again after a failure', async ({ page }) => {
  await page.goto('/thank-you');
  await page.route('**/assets/*.js', (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await page.keyboard.press('F8');
  await failed;
  await page.unroute('**/assets/*.js');
  await expect(async () => {
    await page.keyboard.press('F8');
    await expect(notifications(page)).toBeFocused({ timeout: 1_000 });
  }).toPass();
});

test('questions opened and closed before hydration stay so, on a changed page', async ({ page }) => {
  const start = await openChanged(page, '/', changes['an extension that adds elements to forms and sections']);
  // The first one is open at the beginning.
  for (const index of [0, 2]) await page.locator('summary').nth(index).click();
  await start();
  const open = () => page.locator('details').evaluateAll((all) => all.map((each) => each.hasAttribute('open')));
  await expect.poll(open).toEqual([false, false, true, false]);
});

for (const [what, change] of [
  ['removed', () => document.querySelector('header')?.remove()],
  [
    'wrapped',
    () => {
      const main = document.querySelector('main');
      const around = document.createElement('div');
      main?.replaceWith(around);
      if (main) around.append(main);
    },
  ],
] as const)
  test(`a link to a page with another frame works after an extension has ${what} a part of the frame`, async ({
    page,
  }) => {
    await page.goto('/unsubscribe');
    await page.evaluate(change);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of Service');
    await expect(page.getByRole('banner')).toBeVisible();
  });

test('the page works below an element of an extension with the id “root”', async ({ page }) => {
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
  await page.getByRole('textbox').fill('reader@example.com');
  await page.getByRole('textbox').press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: /Submitted|Unsubscribed|Processed/i })).toBeVisible();
});

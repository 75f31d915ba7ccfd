import { expect, newEmail, test } from '@daybook/testing/browser-test';
import { entriesOf } from '@daybook/testing/entries';
import { holdTimers } from '@daybook/testing/hold-timers';
import { saveData } from '@daybook/testing/page-checks';
import { openSignupDialog, signupDialog, subscribeButton } from '@daybook/testing/signup-dialog';

const scripts = '**/remotes/mf-signup/**/*.js';

test('the scripts of the dialog are prefetched after a second', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (/\/mf-signup\/.*\.js$/.test(request.url())) requested.push(request.url());
  });
  const document = await page.goto('/');
  const ofPage = new Set((await document?.text())?.match(/\/remotes\/mf-signup\/[^"]+\.js/g));
  await expect.poll(() => requested.filter((url) => !ofPage.has(new URL(url).pathname))).not.toEqual([]);
  await page.waitForLoadState('networkidle');
  // Scripts that were not requested by now fail.
  await page.route(scripts, (route) => route.abort());
  await subscribeButton(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('the dialog traps the focus, prevents scrolling, and closes on Escape', async ({ page }) => {
  const { dialog } = await openSignupDialog(page);
  await page.mouse.wheel(0, 600);
  const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await page.evaluate(twoFrames);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  for (let presses = 0; presses < 8; presses += 1) {
    await page.keyboard.press('Tab');
    const isOutside = await dialog.evaluate(
      (element) => document.activeElement !== document.body && !element.contains(document.activeElement),
    );
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(subscribeButton(page)).toBeFocused();
});

test('a spinner moves only with motion', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { email, submit } = await openSignupDialog(page);
  await page.route('**/api/waitlist', () => undefined);
  await email.fill('reader@example.com');
  await submit.click();
  await expect(submit).toHaveText('Signing up...');
  const animations = () => page.evaluate(() => document.getAnimations().length);
  await expect.poll(animations).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(animations).toBeGreaterThan(0);
});

test('a signup is completed even if the tab is closed during the step call', async ({ page, database }) => {
  await page.route('**/api/waitlist/*/step/2', () => undefined);
  const { dialog, email, submit } = await openSignupDialog(page);
  const readerEmail = newEmail();
  await email.fill(readerEmail);
  // Duration of the completed state (docs/product.md, Constants).
  await holdTimers(page, 1500);
  await submit.click();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  await page.close();
  // The step call outlives the page (keepalive): on closing, the browser may still send it.
  await expect.poll(() => entriesOf(database, readerEmail)).toMatchObject([{ completed: true }]);
});

test.describe('without a network', () => {
  test.use({ expectedMessages: [/ERR_|could not be (?:loaded|opened)|^Failed to find a valid digest/] });

  test('the form shows an error, and retains the typed values', async ({ page, context }) => {
    await page.route('**/assets/toaster.*', (route) => route.abort());
    const { dialog, email, submit } = await openSignupDialog(page);
    const readerEmail = newEmail('offline');
    await email.fill(readerEmail);
    await context.setOffline(true);
    await submit.click();
    await expect(dialog.getByRole('alert').first()).toContainText('You’re not subscribed yet.');
    await expect(email).toHaveValue(readerEmail);
    await context.setOffline(false);
    await submit.click();
    await expect(page).toHaveURL(/\/thank-you\?/);
  });

  test('a form that did not load is loaded by the next press', async ({ page }) => {
    await page.addInitScript(saveData);
    // Before the page: Chromium can send an open page's next request past a new route.
    let fails = false;
    await page.route(scripts, (route) => (fails ? route.abort('internetdisconnected') : route.fallback()));
    await page.goto('/');
    fails = true;
    const main = page.getByRole('main');
    const subscribe = main.getByRole('button', { name: 'Subscribe for free' });
    for (const button of await subscribe.all()) {
      await button.click();
      await expect(main.getByRole('alert')).toHaveText(/^The signup form didn’t load\. Please try again/);
      await expect(button).not.toHaveAttribute('aria-disabled', 'true');
    }
    fails = false;
    await subscribe.first().click();
    await expect(main.getByRole('alert')).toHaveCount(0);
    await expect(signupDialog(page).email).toBeFocused();
  });
});

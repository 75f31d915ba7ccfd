import { saveData } from '@daybook/testing/page-checks';
import type { BrowserContext, Locator, Page, Route } from '@playwright/test';
import { entriesOf, eventsOf } from '../support/entries.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog, signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newAddress, recordCalls, test } from '../support/test.ts';

const signupCall = '**/api/waitlist';

/** Records the scripts of the signup remote that a page requests. */
function recordSignupScripts(page: Page): readonly string[] {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (/\/mf-signup\/.*\.js$/.test(request.url())) requested.push(request.url());
  });
  return requested;
}

test.describe('the scripts of the signup dialog', () => {
  test('are prefetched for visitors who have read the page for a second', async ({ page }) => {
    const requested = recordSignupScripts(page);
    const document = await page.goto('/');
    const ofPage = new Set((await document?.text())?.match(/\/remotes\/mf-signup\/[^"]+\.js/g));
    const isOfDialog = (url: string) => !ofPage.has(new URL(url).pathname);
    await expect.poll(() => requested.filter(isOfDialog)).not.toEqual([]);
    await page.waitForLoadState('networkidle');
    // Scripts that were not requested by now fail.
    await page.route('**/mf-signup/**', (route) => route.abort());
    await subscribeButton(page).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });

  test('are not prefetched for visitors who save data', { tag: '@full' }, async ({ page }) => {
    const requested = recordSignupScripts(page);
    await page.addInitScript(saveData);
    await page.clock.install();
    await page.goto('/');
    const first = requested.length;
    await page.clock.runFor(60_000);
    await page.mouse.wheel(0, 600);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    expect(requested).toHaveLength(first);
    await subscribeButton(page).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(requested.length).toBeGreaterThan(first);
  });
});

test.describe('the signup dialog', () => {
  test('takes the focus, prevents scrolling, and returns the focus on Escape', async ({ page }) => {
    const { dialog, email } = await openSignupDialog(page);
    await expect(email).toBeFocused();
    await page.mouse.wheel(0, 600);
    const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await page.evaluate(twoFrames);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(subscribeButton(page)).toBeFocused();
  });

  test('traps Tab while it is open', async ({ page }) => {
    const { dialog } = await openSignupDialog(page);
    for (let presses = 0; presses < 8; presses += 1) {
      await page.keyboard.press('Tab');
      const outside = await dialog.evaluate(
        (element) => document.activeElement !== document.body && !element.contains(document.activeElement),
      );
      expect(outside).toBe(false);
    }
  });
});

test('an invalid address shows an error at the field and sends nothing', async ({ page }) => {
  const { dialog, email, submit } = await openSignupDialog(page);
  const calls = recordCalls(page);
  for (const address of ['', 'reader', 'reader@example', 'a b@example.com']) {
    await email.fill(address);
    await submit.click();
    await expect(dialog.getByRole('alert')).toHaveText('Please enter a valid email address.');
    await expect(email).toHaveAttribute('aria-invalid', 'true');
  }
  expect(calls).toEqual([]);
});

test('a visitor whose browser extension fills in the honeypot is subscribed', async ({ page, database }) => {
  const { dialog, email, submit } = await openSignupDialog(page);
  const address = newAddress();
  await email.fill(address);
  // The field is invisible; some extensions fill it in anyway.
  await dialog.locator('input[name="topic"]').evaluate((field: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Cheap watches');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const request = page.waitForRequest(signupCall);
  await submit.click();
  expect((await request).postDataJSON()).toEqual({ email: address, topic: 'Cheap watches' });
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  await expect
    .poll(() => eventsOf(database, address))
    .toEqual(expect.arrayContaining(['signup.created', 'signup.completed']));
});

test('a signup is completed even if the tab is closed during the step call', async ({ page, database }) => {
  await page.route('**/api/waitlist/*/step/2', () => undefined);
  const { dialog, email, submit } = await openSignupDialog(page);
  const address = newAddress();
  await email.fill(address);
  await submit.click();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  await page.close();
  // The step call outlives the page (keepalive): on closing, the browser may still send it.
  await expect.poll(() => entriesOf(database, address)).toMatchObject([{ completed: true }]);
});

test('the button is busy while the signup is in progress, and a second press sends nothing', async ({ page }) => {
  const { email, submit, dialog } = await openSignupDialog(page);
  const released = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(signupCall, async (route) => {
    requests += 1;
    await released.promise;
    await route.continue();
  });
  await email.fill(newAddress());
  await submit.click();
  await expect(submit).toHaveText('Signing up...');
  await expect(submit).toBeFocused();
  // Forced: Playwright would wait while the button is aria-disabled; visitors don't.
  await submit.click({ force: true });
  await email.press('Enter');
  released.resolve();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  expect(requests).toBe(1);
});

test('the browser goes to the thank-you page after 1.5 seconds, and not before', async ({ page }) => {
  await page.clock.install();
  const { dialog, email, submit } = await openSignupDialog(page);
  const address = newAddress('o+tag');
  await email.fill(address);
  await page.clock.pauseAt(Date.now() + 60_000);
  await submit.click();
  const completed = async () => {
    await page.clock.runFor(10);
    return dialog.getByText("You're all set!").isVisible();
  };
  await expect.poll(completed).toBe(true);
  await page.clock.fastForward(1480);
  await expect(page).toHaveURL('/');
  await page.clock.fastForward(20);
  await expect(page).toHaveURL(/thank-you/);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('email')).toBe(address);
  expect(searchParams.get('id')).toMatch(/^\d+$/);
});

test('“Sign up another person” shows the empty form again and cancels the redirect', async ({ page, database }) => {
  const { dialog, email, submit } = await openSignupDialog(page);
  const first = newAddress('first');
  await email.fill(first);
  await submit.click();
  await dialog.getByRole('button', { name: 'Sign up another person' }).click();
  await expect(email).toHaveValue('');
  const second = newAddress('second');
  await email.fill(second);
  await submit.click();
  await page.waitForURL(/\/thank-you\?/);
  expect(new URL(page.url()).searchParams.get('email')).toBe(second);
  await expect
    .poll(async () => (await entriesOf(database, first)).length + (await entriesOf(database, second)).length)
    .toBe(2);
});

test.describe('when the server rejects the signup', () => {
  test.use({ expectedStatuses: [422] });

  test('its message is shown as an error at the form, and the address is retained', async ({ page }) => {
    await page.route(signupCall, (route) =>
      route.fulfill({ status: 422, json: { statusCode: 422, message: 'We are closed for repairs.', error: 'CLOSED' } }),
    );
    const { dialog, email, submit } = await openSignupDialog(page);
    const address = newAddress();
    await email.fill(address);
    await submit.click();
    const toast = page.getByRole('listitem').filter({ hasText: 'Error' });
    await expect(toast).toContainText('We are closed for repairs.');
    await expect(dialog.getByRole('alert')).toContainText('We are closed for repairs.');
    await expect(email).toHaveValue(address);
    await expect(submit).toBeEnabled();
  });
});

test.describe('in a window of 320 × 480 px', { tag: '@full' }, () => {
  test.use({ viewport: { width: 320, height: 480 }, expectedStatuses: [422] });

  /** Returns whether an element is fully visible and clickable: nothing covers its center or its edges. */
  const isUncovered = (element: Locator) =>
    element.evaluate((target) => {
      const { left, right, top, bottom } = target.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      return [
        [x, y],
        [left + 2, y],
        [right - 2, y],
        [x, top + 2],
        [x, bottom - 2],
      ].every(([at = 0, down = 0]) => target.contains(document.elementFromPoint(at, down)));
    });

  test('the notification covers no focused control', async ({ page }) => {
    const reject = (route: Route) =>
      route.fulfill({ status: 422, json: { statusCode: 422, message: 'We are closed for repairs.', error: 'CLOSED' } });
    await page.route(signupCall, reject);
    const { dialog, email, submit } = await openSignupDialog(page);
    await holdTimers(page, 1500, 5000);
    await email.fill(newAddress());
    await email.press('Enter');
    await expect(page.getByRole('listitem').filter({ hasText: 'Error' })).toBeVisible();
    for (const control of [submit, dialog.getByRole('link').last(), email]) {
      await control.focus();
      expect(await isUncovered(control)).toBe(true);
    }

    await page.unroute(signupCall, reject);
    await email.press('Enter');
    await expect(page.getByRole('listitem').filter({ hasText: 'Success!' })).toBeVisible();
    const again = dialog.getByRole('button', { name: 'Sign up another person' });
    await again.focus();
    expect(await isUncovered(again)).toBe(true);
  });
});

test.describe('when the request fails without a response', () => {
  test.use({ expectedMessages: [/ERR_FAILED|ERR_CONNECTION/] });

  test('the visitor is asked to try again at once, nothing is sent again by itself, and the next press works', async ({
    page,
    database,
  }) => {
    await page.clock.install();
    let calls = 0;
    await page.route(signupCall, async (route) => {
      calls += 1;
      await (calls === 1 ? route.abort() : route.continue());
    });
    const { dialog, email, submit } = await openSignupDialog(page);
    const address = newAddress();
    await email.fill(address);
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText('Something went wrong. Please try again.');
    await expect(submit).toHaveText('Subscribe to Daybook');
    await page.clock.runFor(60_000);
    expect(calls).toBe(1);
    await submit.click();
    await expect(dialog.getByText("You're all set!")).toBeVisible();
    expect(calls).toBe(2);
    expect(await entriesOf(database, address)).toHaveLength(1);
  });
});

test('a corrected address replaces the one that is being sent', async ({ page, database }) => {
  const [wrong, corrected] = [newAddress('wrong'), newAddress('corrected')];
  const sent: string[] = [];
  await page.route(signupCall, async (route) => {
    const { email } = route.request().postDataJSON();
    sent.push(email);
    // The first call never gets a response.
    if (email === corrected) await route.continue();
  });
  const { dialog, email, submit } = await openSignupDialog(page);
  await email.fill(wrong);
  await submit.click();
  await expect(submit).toHaveText('Signing up...');
  await email.fill(corrected);
  await expect(submit).toHaveText('Subscribe to Daybook');
  await submit.click();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  expect(sent).toEqual([wrong, corrected]);
  expect(await entriesOf(database, corrected)).toHaveLength(1);
});

test('after a timeout of 20 seconds the visitor is asked to try again, and the retry works', {
  tag: '@full',
}, async ({ page }) => {
  await page.clock.install();
  const { dialog, email, submit } = await openSignupDialog(page);
  await email.fill(newAddress());
  const requested = Promise.withResolvers<void>();
  await page.route(signupCall, () => requested.resolve());
  await submit.click();
  await requested.promise;
  await expect(submit).toHaveText('Signing up...');
  await page.clock.fastForward(20_000);
  await expect(dialog.getByRole('alert')).toContainText('Something went wrong. Please try again.');
  await page.unroute(signupCall);
  await submit.click();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
});

test.describe('without a network', () => {
  test.use({ expectedMessages: [/ERR_|could not be loaded/] });

  test('the form shows an error at once and retains the typed values', async ({ page, context }) => {
    const { dialog, email, submit } = await openSignupDialog(page);
    const address = newAddress('offline');
    await email.fill(address);
    await context.setOffline(true);
    await submit.click();
    await expect(dialog.getByRole('alert').first()).toContainText('Something went wrong. Please try again.', {
      timeout: 2_000,
    });
    await expect(email).toHaveValue(address);
    await context.setOffline(false);
    await submit.click();
    await expect(page).toHaveURL(/\/thank-you\?/);
  });

  test('signing up works even if the script of notifications cannot be loaded', { tag: '@full' }, async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.route('**/assets/toaster.*', (route) => route.abort());
    await subscribeButton(page).click();
    const { email, submit } = signupDialog(page);
    await email.fill(newAddress('no-toast'));
    await submit.click();
    await expect(page).toHaveURL(/\/thank-you\?/);
  });
});

test('a response without an entry id sends the visitor to the home page', async ({ page }) => {
  await page.route(signupCall, (route) => route.fulfill({ status: 201, json: {} }));
  const { dialog, email, submit } = await openSignupDialog(page);
  await email.fill(newAddress());
  await submit.click();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/');
});

test.describe('when the step call or the completion fails', () => {
  test.use({ expectedStatuses: [503], expectedMessages: [/./] });

  test('the visitor is thanked anyway', async ({ page }) => {
    await page.route('**/api/waitlist/*/step/2', (route) => route.fulfill({ status: 503 }));
    await page.route('**/api/waitlist/*/complete', (route) => route.fulfill({ status: 503 }));
    const { email, submit } = await openSignupDialog(page);
    await email.fill(newAddress());
    await submit.click();
    await expect(page).toHaveURL(/\/thank-you\?/);
  });
});

const scripts = '**/remotes/mf-signup/**/*.js';

test.describe('a form that cannot be loaded', () => {
  test.use({
    expectedMessages: [/ERR_|^The signup form could not be loaded|^Failed to find a valid digest/],
    expectedStatuses: [404],
  });

  for (const [reason, fail] of [
    ['without a network', ({ context }) => context.setOffline(true)],
    ['from a server without it', ({ page }) => page.route(scripts, (route) => route.fulfill({ status: 404 }))],
    ['with another content', ({ page }) => page.route(scripts, (route) => route.fulfill({ body: '<!doctype html>' }))],
  ] as const satisfies readonly (readonly [
    string,
    (test: { page: Page; context: BrowserContext }) => Promise<unknown>,
  ])[])
    test(`says so next to each button, and the next press retries: ${reason}`, async ({ page, context }) => {
      await page.addInitScript(saveData);
      await page.goto('/');
      const main = page.getByRole('main');
      const subscribe = main.getByRole('button', { name: 'Subscribe for free' });
      await fail({ page, context });
      for (const place of ['first', 'last'] as const) {
        await subscribe[place]().click();
        await expect(main.getByRole('alert')).toHaveText(/^The signup form could not be loaded\. Please check/);
        await expect(subscribe[place]()).not.toHaveAttribute('aria-disabled', 'true');
      }
      await context.setOffline(false);
      await page.unroute(scripts);
      await subscribe.first().click();
      await expect(main.getByRole('alert')).toHaveCount(0);
      await expect(page.getByRole('dialog', { name: 'Where shall we send it?' })).toBeVisible();
      await expect(page.getByRole('textbox', { name: 'Email address' })).toBeFocused();
    });
});

import { expect, newEmail, test } from '@daybook/testing/browser-test';
import { holdTimers } from '@daybook/testing/hold-timers';
import { openSignupDialog } from '@daybook/testing/signup-dialog';
import type { Locator, Page } from '@playwright/test';

test.use({ expectedStatuses: [404, 422], expectedMessages: [/net::ERR_FAILED/] });

/** Returns the list of notifications, which F8 focuses. */
const notifications = (page: Page) => page.getByRole('region', { name: /F8/ }).locator('ol');
const notification = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

const signupCall = '**/api/waitlist';
async function fail(page: Page): Promise<void> {
  const json = { statusCode: 422, message: 'We are closed for repairs.', error: 'CLOSED' };
  await page.route(signupCall, (route) => route.fulfill({ status: 422, json }));
  await page.getByRole('dialog').getByRole('textbox').fill(newEmail());
  await page.keyboard.press('Enter');
  await expect(notification(page, json.message)).toBeVisible();
}

for (const path of ['/terms', '/accessible-view', '/nowhere'])
  test(`F8 as the first press on ${path} reaches the notifications`, async ({ page }) => {
    await page.goto(path, { waitUntil: 'load' });
    await page.keyboard.press('F8');
    await expect(notifications(page)).toBeFocused();
    await expect(notifications(page)).toBeInViewport();
  });

test('F8 reaches the notifications in and after the dialog, also without toggle events', async ({ page }) => {
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

test('a notification stays while it has the focus, and a held Escape closes only it', async ({ page }) => {
  await page.clock.install();
  const { dialog } = await openSignupDialog(page);
  await fail(page);
  // Twice: it is visible before it listens, and it listens to the key before it listens to the focus.
  for (let press = 1; press <= 2; press += 1) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await expect(async () => {
      await page.keyboard.press('F8');
      await expect(notifications(page)).toBeFocused({ timeout: 500 });
    }).toPass();
  }
  await page.clock.fastForward(10_000);
  await expect(notification(page, 'Error')).toBeVisible();
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.down('Escape');
  await page.keyboard.up('Escape');
  await expect(notification(page, 'Error')).toBeHidden();
  await expect(dialog).toBeVisible();
});

test('in a low window a press after a notification or F8 submits', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const { dialog, submit } = await openSignupDialog(page);
  const dismiss = dialog.getByRole('button', { name: 'Dismiss this notification' });
  await holdTimers(page, 5000);
  await fail(page);
  await dismiss.click();
  await expect(dismiss).toBeHidden();
  await Promise.all([page.waitForRequest(signupCall), submit.click()]);
  await dismiss.click();
  await page.keyboard.press('F8');
  await expect(notifications(page)).toBeFocused();
  await Promise.all([page.waitForRequest(signupCall), submit.click()]);
});

for (const [distance, isDismissed] of [
  [45, false],
  [60, true],
] as const)
  test(`a notification swiped ${distance} px is ${isDismissed ? '' : 'not '}dismissed`, async ({ page }) => {
    await openSignupDialog(page);
    await holdTimers(page, 5000);
    await fail(page);
    // Hovering waits until it is in the dialog, where it can be pressed.
    await notification(page, 'Error').hover({ position: { x: 20, y: 10 } });
    const { x = 0, y = 0 } = (await notification(page, 'Error').boundingBox()) ?? {};
    await page.mouse.down();
    for (const moved of [20, distance]) await page.mouse.move(x + 20 + moved, y + 10);
    await page.mouse.up();
    if (!isDismissed) await expect(notification(page, 'Error')).toHaveAttribute('data-swipe', 'cancel');
    await expect(notification(page, 'Error')).toBeVisible({ visible: !isDismissed });
  });

/** Returns the texts of an element, or the control itself, that the notification overlaps. */
const coveredIn = (element: Locator) =>
  element.evaluate((within) => {
    const note = document.querySelector('li[data-state]');
    if (!note) throw new Error('There is no notification.');
    const { top, bottom, left, right } = note.getBoundingClientRect();
    const overlaps = ({ x, y, width, height }: DOMRect) =>
      x < right && x + width > left && y < bottom && y + height > top;
    const nodes: Node[] = within.matches('input, button, a') ? [within] : [];
    const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    while (nodes[0] !== within && texts.nextNode()) nodes.push(texts.currentNode);
    return nodes
      .filter((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return !note.contains(node) && [...range.getClientRects()].some(overlaps);
      })
      .map(({ textContent }) => textContent);
  });

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
])
  test(`a success covers nothing of the dialog and the next page, ${viewport.width} px wide`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const { dialog, email } = await openSignupDialog(page);
    await holdTimers(page, 5000);
    await email.fill(newEmail());
    await email.press('Enter');
    await expect(notification(page, 'Success!')).toBeVisible();
    // While a dialog moves to its place, which takes 180 ms, its notification is placed within it.
    await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
    expect(await coveredIn(dialog)).toEqual([]);
    await page.waitForURL(/\/thank-you/);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(notification(page, 'Success!')).toBeVisible();
    expect(await coveredIn(page.getByRole('main'))).toEqual([]);
  });

test('a notification covers no focused control in a window of 320 × 480 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 480 });
  const { dialog, email, submit } = await openSignupDialog(page);
  await holdTimers(page, 1500, 5000);
  await fail(page);
  for (const control of [submit, dialog.getByRole('link').last(), email]) {
    await control.focus();
    expect(await coveredIn(control)).toEqual([]);
  }
  await page.unroute(signupCall);
  await email.press('Enter');
  await expect(notification(page, 'Success!')).toBeVisible();
  const again = dialog.getByRole('button', { name: 'Sign up another person' });
  await again.focus();
  expect(await coveredIn(again)).toEqual([]);
});

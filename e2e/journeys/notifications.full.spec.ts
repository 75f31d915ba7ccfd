import type { Locator, Page } from '@playwright/test';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, newEmail, test } from '../support/test.ts';

/** Returns the list of notifications, which F8 focuses. */
const notifications = (page: Page) => page.getByRole('region', { name: /F8/ }).locator('ol');

const signupCall = '**/api/waitlist';
const rejection = { statusCode: 422, message: 'We are closed for repairs.', error: 'CLOSED' };
const rejectSignups = (page: Page) =>
  page.route(signupCall, (route) => route.fulfill({ status: 422, json: rejection }));

test.describe('F8', () => {
  test.use({ expectedStatuses: [404], expectedMessages: [/net::ERR_FAILED/] });

  for (const path of ['/terms', '/accessible-view', '/nowhere'])
    test(`pressed as the first thing on ${path} reaches the notifications`, async ({ page }) => {
      await page.goto(path, { waitUntil: 'load' });
      await page.keyboard.press('F8');
      await expect(notifications(page)).toBeFocused();
      await expect(notifications(page)).toBeInViewport();
    });

  test('reaches the notifications in the dialog and after it, also without toggle events of dialogs', async ({
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
});

test.describe('a notification', () => {
  test.use({ expectedStatuses: [422] });

  test('gets the focus and stays as long as it has it after F8', async ({ page }) => {
    await page.clock.install();
    const { email } = await openSignupDialog(page);
    // A failure, after which the visitor stays on the page: a redirect moves the focus to the next one.
    await rejectSignups(page);
    await email.fill('reader@example.com');
    await email.press('Enter');
    const notification = page.getByRole('listitem').filter({ hasText: rejection.message });
    await expect(notification).toBeVisible();
    // Twice: it is visible before it listens, and it listens to the key before it listens to the focus.
    for (let press = 1; press <= 2; press += 1) {
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await expect(async () => {
        await page.keyboard.press('F8');
        await expect(notifications(page)).toBeFocused({ timeout: 500 });
      }).toPass();
    }
    await page.clock.fastForward(10_000);
    await expect(notification).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(notification).toBeHidden();
  });

  for (const [distance, result] of [
    [45, 'stays until five seconds have passed'],
    [60, 'is dismissed'],
  ] as const)
    test(`swiped ${distance} px to the right ${result}`, async ({ page }) => {
      await page.clock.install();
      const { email, submit } = await openSignupDialog(page);
      await page.route(signupCall, (route) => route.fulfill({ status: 201, json: {} }));
      await email.fill('reader@example.com');
      await page.clock.pauseAt(Date.now() + 60_000);
      await submit.click();
      const notification = page.getByRole('listitem').filter({ hasText: 'Success!' });
      const isShown = async () => {
        await page.clock.runFor(10);
        return notification.isVisible();
      };
      await expect.poll(isShown).toBe(true);
      const box = await notification.boundingBox();
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 20, y);
      await page.mouse.move(x + distance, y);
      await page.mouse.up();
      await page.clock.runFor(500);
      await expect(notification).toBeVisible({ visible: distance === 45 });
      // Pointer and focus on it stop its five seconds.
      await page.mouse.move(0, 0);
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.clock.runFor(5000);
      await expect(notification).toBeHidden();
    });

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

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 900 },
  ])
    test(`of a success covers nothing of the dialog and of the next page at ${viewport.width} × ${viewport.height} px`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      const { dialog, email } = await openSignupDialog(page);
      await holdTimers(page, 5000);
      await email.fill(newEmail());
      await email.press('Enter');
      const notification = page.getByRole('listitem').filter({ hasText: 'Success!' });
      await expect(notification).toBeVisible();
      // While a dialog moves to its place, which takes 180 ms, its notification is placed within it.
      await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
      /** Returns the texts of an element that the notification overlaps. */
      const coveredIn = (element: Locator) =>
        element.evaluate((within) => {
          const note = [...document.querySelectorAll('li')].find((item) => item.textContent?.includes('Success!'));
          const { top = 0, bottom = 0, left = 0, right = 0 } = note?.getBoundingClientRect() ?? {};
          const texts = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
          const covered: string[] = [];
          while (texts.nextNode()) {
            if (note?.contains(texts.currentNode)) continue;
            const range = document.createRange();
            range.selectNode(texts.currentNode);
            const overlaps = ({ x, y, width, height }: DOMRect) =>
              x < right && x + width > left && y < bottom && y + height > top;
            if ([...range.getClientRects()].some(overlaps)) covered.push(texts.currentNode.textContent ?? '');
          }
          return covered;
        });
      expect(await coveredIn(dialog)).toEqual([]);
      await page.waitForURL(/\/thank-you/);
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      await expect(notification).toBeVisible();
      expect(await coveredIn(page.getByRole('main'))).toEqual([]);
    });

  test('covers no focused control in a window of 320 × 480 px', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 480 });
    await rejectSignups(page);
    const { dialog, email, submit } = await openSignupDialog(page);
    await holdTimers(page, 1500, 5000);
    await email.fill(newEmail());
    await email.press('Enter');
    await expect(page.getByRole('listitem').filter({ hasText: 'Error' })).toBeVisible();
    for (const control of [submit, dialog.getByRole('link').last(), email]) {
      await control.focus();
      expect(await isUncovered(control)).toBe(true);
    }
    await page.unroute(signupCall);
    await email.press('Enter');
    await expect(page.getByRole('listitem').filter({ hasText: 'Success!' })).toBeVisible();
    const again = dialog.getByRole('button', { name: 'Sign up another person' });
    await again.focus();
    expect(await isUncovered(again)).toBe(true);
  });
});

import type { Page } from '@playwright/test';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

/** Signs up, which shows a notification, and stops the page's clock. */
async function showNotification(page: Page) {
  await page.clock.install();
  const { email, submit } = await openSignupDialog(page);
  await page.route('**/api/waitlist', (route) => route.fulfill({ status: 201, json: {} }));
  await email.fill('reader@example.com');
  await page.clock.pauseAt(Date.now() + 60_000);
  await submit.click();
  const notification = page.getByRole('listitem').filter({ hasText: 'Success!' });
  const isShown = async () => {
    await page.clock.runFor(10);
    return notification.isVisible();
  };
  await expect.poll(isShown).toBe(true);
  return notification;
}

test('a notification is shown for five seconds', async ({ page }) => {
  const notification = await showNotification(page);
  await page.clock.runFor(4000);
  await expect(notification).toBeVisible();
  await page.clock.runFor(1000);
  await expect(notification).toBeHidden();
});

for (const { distance, result } of [
  { distance: 45, result: 'stays' },
  { distance: 60, result: 'is dismissed' },
]) {
  test(`a notification swiped ${distance} px to the right ${result}`, async ({ page }) => {
    const notification = await showNotification(page);
    const box = await notification.boundingBox();
    if (!box) throw new Error('The notification has no box.');
    const [x, y] = [box.x + 20, box.y + 10];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y);
    await page.mouse.move(x + distance, y);
    await page.mouse.up();
    await page.clock.runFor(500);
    await expect(notification).toBeVisible({ visible: result === 'stays' });
  });
}

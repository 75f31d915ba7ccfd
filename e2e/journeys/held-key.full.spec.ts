import type { Page } from '@playwright/test';
import { choiceForm, recordAlerts } from '../pages/privacy-choices.ts';
import { openSignupDialog, signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, recordCalls, test } from '../support/test.ts';

/** Holds a key down: the browser repeats the press. */
async function hold(page: Page, key: string): Promise<void> {
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

test('a held Enter key opens the dialog and does not submit it', async ({ page }) => {
  await page.goto('/');
  const { dialog, email } = signupDialog(page);
  await subscribeButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(email).toBeFocused();
  await email.fill('reader@example.com');
  await page.keyboard.press('Escape');
  await expect(subscribeButton(page)).toBeFocused();
  const calls = recordCalls(page);
  await hold(page, 'Enter');
  await expect(email).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Subscribe to Daybook' })).toBeVisible();
  expect(calls.filter((url) => url.includes('/api/'))).toEqual([]);
});

test('a held Enter key submits an invalid form once', async ({ page }) => {
  await page.goto('/unsubscribe');
  const { email, message } = choiceForm(page);
  const alerts = recordAlerts(page);
  await email.fill('nobody');
  await hold(page, 'Enter');
  await expect(message).toBeVisible();
  expect(alerts).toHaveLength(1);
});

test('a held Enter key adds lines to comments', async ({ page }) => {
  await page.goto('/privacy-rights-request');
  const comments = page.locator('[name=comments]');
  await comments.focus();
  await hold(page, 'Enter');
  await expect(comments).toHaveValue('\n'.repeat(5));
});

test.describe('with a notification in the dialog', () => {
  test.use({ expectedStatuses: [422] });

  test('a held Escape key closes the notification, not the dialog', async ({ page }) => {
    const rejection = { statusCode: 422, message: 'We are closed for repairs.', error: 'CLOSED' };
    await page.route('**/api/waitlist', (route) => route.fulfill({ status: 422, json: rejection }));
    const { dialog, email } = await openSignupDialog(page);
    await email.fill('reader@example.com');
    await email.press('Enter');
    const notification = page.getByRole('listitem').filter({ hasText: 'Error' });
    await expect(notification).toBeVisible();
    await notification.focus();
    await hold(page, 'Escape');
    await expect(notification).toBeHidden();
    await expect(dialog).toBeVisible();
  });
});

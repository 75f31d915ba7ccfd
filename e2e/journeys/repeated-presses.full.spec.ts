import type { Page } from '@playwright/test';
import { choiceForm, recordAlerts } from '../pages/privacy-choices.ts';
import { headingOf } from '../support/built-pages.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog, signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newEmail, recordCalls, signUp, stubSponsors, test } from '../support/test.ts';

/** Holds a key down: the browser repeats the press. */
async function hold(page: Page, key: string): Promise<void> {
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

test('a double click opens and closes the dialog, and presses nothing behind it', async ({ page }) => {
  await page.goto('/');
  // Loads the dialog, so that it opens with the first click.
  await subscribeButton(page).hover();
  const { dialog, email } = signupDialog(page);
  await expect(page.locator('dialog')).toBeAttached();
  for (const button of await page.getByRole('button', { name: 'Subscribe for free' }).all()) {
    await button.dblclick();
    await expect(email).toBeFocused();
    await dialog.getByRole('button', { name: 'Close' }).dblclick();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/');
  }
  await subscribeButton(page).dblclick();
  await expect(email).toBeFocused();
  // A single press outside still closes it.
  await page.mouse.click(4, 4);
  await expect(dialog).toBeHidden();

  await page.getByText('Is it really free?').dblclick();
  await expect(page.getByText('There’s no trial, no credit card')).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).dblclick();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
});

test('a double click signs up once', async ({ page }) => {
  const { dialog, email, submit } = await openSignupDialog(page);
  const calls = recordCalls(page);
  await email.fill(newEmail('double'));
  // Durations of the completed state and of the notification (docs/product.md, Constants).
  await holdTimers(page, 1500, 5000);
  await submit.dblclick();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  const dismiss = page.getByRole('button', { name: 'Dismiss this notification' });
  await dismiss.dblclick();
  await expect(dismiss).toBeHidden();
  await dialog.getByRole('button', { name: 'Sign up another person' }).dblclick();
  await expect(email).toBeFocused();
  await expect(email).toHaveValue('');
  await expect(dialog.getByRole('alert')).toBeHidden();
  expect(calls.filter((url) => url.endsWith('/api/waitlist'))).toHaveLength(1);
});

test('a double click selects an offer, and proceeds with one tab', async ({ page }) => {
  await stubSponsors(page);
  await page.goto(`/continue-registration?id=${await signUp(page, newEmail('double'))}`);
  const [offer, other] = [page.getByRole('checkbox').first(), page.getByRole('checkbox').nth(1)];
  await offer.dblclick();
  await expect(offer).toBeChecked();
  for (const checked of [true, false]) {
    await page.locator('fieldset label').nth(1).dblclick();
    await expect(other).toBeChecked({ checked });
  }
  const tab = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Continue with selected offers' }).dblclick();
  await tab;
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
  expect(page.context().pages()).toHaveLength(2);
});

test('a double click selects a word in a text and in a field', async ({ page }) => {
  await page.goto('/unsubscribe');
  const { email } = choiceForm(page);
  await email.fill('reader');
  await email.dblclick({ position: { x: 30, y: 20 } });
  await page.keyboard.type('writer');
  await expect(email).toHaveValue('writer');
  await page.getByRole('heading', { level: 1 }).dblclick({ position: { x: 40, y: 20 } });
  expect(await page.evaluate(() => String(getSelection()))).toContain(headingOf('/unsubscribe').split(' ')[0]);
});

test('a held Enter key opens the dialog and does not submit it', async ({ page }) => {
  const { dialog, email } = await openSignupDialog(page);
  await email.fill('reader@example.com');
  await page.keyboard.press('Escape');
  await expect(subscribeButton(page)).toBeFocused();
  const calls = recordCalls(page);
  await hold(page, 'Enter');
  await expect(email).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Subscribe to Daybook' })).toBeVisible();
  expect(calls.filter((url) => url.includes('/api/'))).toEqual([]);
});

test('a held Enter key adds lines to comments, and submits an invalid form once', async ({ page }) => {
  await page.goto('/privacy-rights-request');
  const alerts = recordAlerts(page);
  const comments = page.locator('[name=comments]');
  await comments.focus();
  await hold(page, 'Enter');
  await expect(comments).toHaveValue('\n'.repeat(5));
  await choiceForm(page).email.focus();
  await hold(page, 'Enter');
  await expect(choiceForm(page).message).toBeVisible();
  expect(alerts).toHaveLength(1);
});

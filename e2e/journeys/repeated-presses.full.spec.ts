import { expect, newEmail, recordCalls, signUp, stubSponsors, test } from '@daybook/testing/browser-test';
import { headingOf } from '@daybook/testing/built-pages';
import { holdTimers } from '@daybook/testing/hold-timers';
import { openSignupDialog, subscribeButton } from '@daybook/testing/signup-dialog';

test('a double click opens and closes the dialog, and presses nothing behind it', async ({ page }) => {
  const { dialog, email } = await openSignupDialog(page);
  await dialog.getByRole('button', { name: 'Close' }).dblclick();
  await expect(dialog).toBeHidden();
  await subscribeButton(page).dblclick();
  await expect(email).toBeFocused();
  // A press that began inside does not close it, such as one that selects text; one outside does.
  await email.hover();
  await page.mouse.down();
  await page.mouse.move(4, 4);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await page.mouse.click(4, 4);
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL('/');
  await page.getByText('Is it really free?').dblclick();
  await expect(page.getByText('There’s no trial, no credit card')).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).dblclick();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
});

test('a double click signs up once', async ({ page }) => {
  const { dialog, email, submit } = await openSignupDialog(page);
  const calls = recordCalls(page);
  await email.fill(newEmail('double'));
  // Duration of the completed state (docs/product.md, Constants).
  await holdTimers(page, 1500);
  await submit.dblclick();
  await dialog.getByRole('button', { name: 'Sign up another person' }).dblclick();
  await expect(email).toBeFocused();
  await expect(dialog.getByRole('alert')).toBeHidden();
  expect(calls.filter((url) => url.endsWith('/api/waitlist'))).toHaveLength(1);
});

test('a double click selects an offer, and proceeds with one tab', async ({ page }) => {
  await stubSponsors(page);
  await page.goto(`/continue-registration?id=${await signUp(page, newEmail('double'))}`);
  const offer = page.getByRole('checkbox').first();
  for (const checked of [true, false, true]) {
    await page.locator('fieldset label').first().dblclick();
    await expect(offer).toBeChecked({ checked });
  }
  const tab = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Continue with selected offers' }).dblclick();
  await tab;
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
  expect(page.context().pages()).toHaveLength(2);
});

test('a held Enter key opens the dialog and does not submit it', async ({ page }) => {
  const { dialog, email } = await openSignupDialog(page);
  await email.fill('reader@example.com');
  await page.keyboard.press('Escape');
  await expect(subscribeButton(page)).toBeFocused();
  const calls = recordCalls(page);
  // The browser repeats the press.
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(email).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Subscribe to Daybook' })).toBeVisible();
  expect(calls.filter((url) => url.includes('/api/'))).toEqual([]);
});

import { choiceForm } from '../pages/privacy-choices.ts';
import { headingOf } from '../support/built-pages.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog, signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newEmail, signUp, stubSponsors, test } from '../support/test.ts';

test('a double click on “Subscribe for free” opens the dialog, and on its close button presses nothing behind it', async ({
  page,
}) => {
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

  const answer = page.getByText('There’s no trial, no credit card');
  await page.getByText('Is it really free?').dblclick();
  await expect(answer).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).dblclick();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
  await expect(page).toHaveURL('/terms');
});

test('a double click on the form’s button signs up once, and on “Sign up another person” returns the form', async ({
  page,
}) => {
  const { dialog, email, submit } = await openSignupDialog(page);
  let calls = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/waitlist') calls += 1;
  });
  await email.fill(newEmail('double'));
  // Durations of the completed state and of the notification (docs/product.md, Constants).
  await holdTimers(page, 1500, 5000);
  await submit.dblclick();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  const dismiss = page.getByRole('button', { name: 'Dismiss this notification' });
  await dismiss.dblclick();
  await expect(dismiss).toBeHidden();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Sign up another person' }).dblclick();
  await expect(email).toBeFocused();
  await expect(email).toHaveValue('');
  await expect(dialog.getByRole('alert')).toBeHidden();
  expect(calls).toBe(1);
});

test('a double click on an offer selects it, and on “Continue” proceeds with one tab', async ({ page }) => {
  await stubSponsors(page);
  await page.goto(`/continue-registration?id=${await signUp(page, newEmail('double'))}`);
  const [offer, other] = [page.getByRole('checkbox').first(), page.getByRole('checkbox').nth(1)];
  await offer.dblclick();
  await expect(offer).toBeChecked();
  const label = page.locator('fieldset label').nth(1);
  await label.dblclick();
  await expect(other).toBeChecked();
  await label.dblclick();
  await expect(other).not.toBeChecked();
  const tab = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Continue with selected offers' }).dblclick();
  await tab;
  await expect(page).toHaveURL(/\/thank-you\?/);
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

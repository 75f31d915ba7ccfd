import { choiceForm } from '../pages/privacy-choices.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog, signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newAddress, signUp, stubSponsors, test } from '../support/test.ts';

for (const width of [1280, 390]) {
  test.describe(`a double click at ${width} px`, { tag: width === 1280 ? [] : ['@full'] }, () => {
    test.use({ viewport: { width, height: 800 } });

    test('on “Subscribe for free” opens the dialog, and on its close button presses nothing behind it', async ({
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
    });

    test('on a form’s button signs up once, and “Sign up another person” returns the form', async ({ page }) => {
      const { dialog, email, submit } = await openSignupDialog(page);
      let calls = 0;
      page.on('request', (request) => {
        if (new URL(request.url()).pathname === '/api/waitlist') calls += 1;
      });
      await email.fill(newAddress('double'));
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

    test('on a question opens its answer', async ({ page }) => {
      await page.goto('/');
      const answer = page.getByText('There is no trial, no card');
      await page.getByText('Is it really free?').dblclick();
      await expect(answer).toBeVisible();
      await page.getByText('Is it really free?').dblclick();
      await expect(answer).toBeHidden();
    });

    test('on an offer selects it, and on “Continue” proceeds with one tab', async ({ page }) => {
      await stubSponsors(page);
      await page.goto(`/continue-registration?id=${await signUp(page, newAddress('double'))}`);
      const offer = page.getByRole('checkbox').first();
      await offer.dblclick();
      await expect(offer).toBeChecked();
      const label = page.locator('fieldset label').nth(1);
      await label.dblclick();
      await expect(page.getByRole('checkbox').nth(1)).toBeChecked();
      await label.dblclick();
      await expect(page.getByRole('checkbox').nth(1)).not.toBeChecked();
      const tab = page.context().waitForEvent('page');
      await page.getByRole('button', { name: 'Continue with selected offers' }).dblclick();
      await tab;
      await expect(page).toHaveURL(/\/thank-you\?/);
      await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
      expect(page.context().pages()).toHaveLength(2);
    });

    test('on “No thanks” leads to the thank-you page and no further', async ({ page }) => {
      await page.goto(`/continue-registration?id=${await signUp(page, newAddress('double'))}`);
      await page.getByRole('button', { name: 'No thanks' }).dblclick();
      await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
      await expect(page).toHaveURL(/\/thank-you\?/);
    });

    test('on “Stop” stops the countdown, on “Start again” starts it', async ({ page }) => {
      await page.goto('/redirect?url=https%3A%2F%2Fexample.com');
      await page.getByRole('button', { name: 'Stop' }).dblclick();
      const restart = page.getByRole('button', { name: 'Start again' });
      await expect(restart).toBeVisible();
      await restart.dblclick();
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
    });

    test('on the button of a privacy form submits it once', async ({ page, consoleLines }) => {
      await page.goto('/unsubscribe');
      const { email, button } = choiceForm(page);
      await email.fill('double@example.com');
      await button.dblclick();
      await expect(page.getByRole('heading', { name: 'Unsubscribe Request Submitted' })).toBeFocused();
      expect(consoleLines.filter((line) => line.includes('double@example.com'))).toHaveLength(1);
    });

    test('on a link follows that link only', async ({ page }) => {
      await page.goto('/');
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).dblclick();
      await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeFocused();
      await expect(page).toHaveURL('/terms');
    });

    test('selects a word in a text and in a field', async ({ page }) => {
      await page.goto('/unsubscribe');
      const { email } = choiceForm(page);
      await email.fill('reader');
      await email.dblclick({ position: { x: 30, y: 20 } });
      await page.keyboard.type('writer');
      await expect(email).toHaveValue('writer');
      await page.getByRole('heading', { level: 1 }).dblclick({ position: { x: 40, y: 20 } });
      expect(await page.evaluate(() => String(getSelection()))).toContain('Unsubscribe');
    });
  });
}

test.describe('when a page’s release is gone', () => {
  test.use({ expectedStatuses: [503, 404], expectedMessages: [/./] });

  test('a double click on “Try again” shows the page', async ({ page }) => {
    await page.goto('/terms');
    const files = '**/remotes/mf-privacy/**';
    await page.route(files, (route) => route.abort());
    await page.getByRole('contentinfo').getByRole('link', { name: 'Unsubscribe', exact: true }).click();
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(again).toBeVisible();
    await page.unroute(files);
    await again.dblclick();
    await expect(page.getByRole('heading', { level: 1, name: 'Unsubscribe' })).toBeVisible();
    await expect(page).toHaveURL('/unsubscribe');
  });
});

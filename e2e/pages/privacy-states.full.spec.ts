import { expect, recordCalls, test } from '../support/test.ts';
import { choiceForm, fillIn, privacyChoices, recordAlerts, stopClock } from './privacy-choices.ts';

for (const choice of privacyChoices) {
  test.describe(choice.path, () => {
    test('shows the form and the support address', async ({ page }) => {
      await page.goto(choice.path);
      const { main, email, button } = choiceForm(page);
      await expect(page).toHaveTitle(new RegExp(choice.title));
      await expect(main.getByRole('heading', { level: 1 })).toHaveText(choice.title);
      await expect(email).toHaveAttribute('type', 'email');
      await expect(email).toHaveAttribute('required');
      await expect(button).toHaveText(choice.button);
      await expect(main.getByText(`${choice.supportNote} support@daybook.example.`)).toBeVisible();
      await expect(main.getByRole('link', { name: 'support@daybook.example' })).toHaveAttribute(
        'href',
        'mailto:support@daybook.example',
      );
    });

    test('is reached by a link without a call', async ({ page }) => {
      await page.goto('/');
      const requests: string[] = [];
      page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
      await page.getByRole('contentinfo').locator(`a[href="${choice.path}"]`).click();
      await expect(choiceForm(page).button).toHaveText(choice.button);
      await page.waitForLoadState('networkidle');
      expect(
        requests.filter((line) => !/^GET \/(?:remotes\/|assets\/|registry\.json$|favicon\.svg$)/.test(line)),
      ).toEqual([]);
    });

    test('shows the confirmation after one second of processing, without a call', async ({ page, consoleLines }) => {
      await page.clock.install();
      await page.goto(choice.path);
      const { main, button } = choiceForm(page);
      await fillIn(page);
      const calls = recordCalls(page);
      const alerts = recordAlerts(page);
      await stopClock(page);

      await button.click();
      await expect(button).toHaveText('Processing...');
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(button).toBeFocused();
      await page.clock.fastForward(999);
      await expect(button).toHaveText('Processing...');
      await page.clock.fastForward(1);

      await expect(main.getByRole('heading', { level: 2, name: choice.confirmation })).toBeFocused();
      for (const paragraph of choice.paragraphs) await expect(main.getByText(paragraph)).toBeVisible();
      await expect(main.locator('form')).toHaveCount(0);
      expect(calls).toEqual([]);
      expect(alerts).toEqual([]);
      expect(consoleLines.filter((line) => line.includes('intended for support@daybook.example: '))).toEqual([
        expect.stringContaining(JSON.stringify(choice.logged)),
      ]);

      await main.getByRole('link', { name: 'Return to Home' }).click();
      await expect(page).toHaveURL('/');
    });
  });
}

// All choices share one form: the smallest and the largest cover all that does not depend on its fields.
for (const choice of privacyChoices.filter(({ path }) => /^\/(?:unsubscribe|limit-sensitive-info)$/.test(path))) {
  test.describe(choice.path, () => {
    test('a second press while processing does nothing', async ({ page, consoleLines }) => {
      await page.clock.install();
      await page.goto(choice.path);
      const { main, email, button } = choiceForm(page);
      await fillIn(page);
      await stopClock(page);
      await button.dblclick();
      await email.press('Enter');
      await page.clock.fastForward(1000);
      await expect(main.getByRole('heading', { name: choice.confirmation })).toBeVisible();
      await page.clock.fastForward(5000);
      expect(consoleLines.filter((line) => line.includes('reader@example.com'))).toHaveLength(1);
    });

    test('shows the form again only after a reload', async ({ page }) => {
      await page.goto(choice.path);
      const { main, email, button } = choiceForm(page);
      await fillIn(page);
      await button.click();
      await expect(main.getByRole('heading', { name: choice.confirmation })).toBeVisible();
      await page.reload();
      await expect(email).toHaveValue('');
      await expect(button).toHaveText(choice.button);
    });

    test('Back shows the confirmation again, and a new visit a new form', async ({ page }) => {
      await page.goto(choice.path);
      const { main, email, button } = choiceForm(page);
      await fillIn(page);
      await button.click();
      const confirmation = main.getByRole('heading', { name: choice.confirmation });
      await expect(confirmation).toBeVisible();
      await main.getByRole('link', { name: 'Return to Home' }).click();
      await expect(page).toHaveURL('/');
      await page.goBack();
      await expect(page).toHaveURL(choice.path);
      await expect(confirmation).toBeVisible();
      await expect(main.locator('form')).toHaveCount(0);

      await main.getByRole('link', { name: 'Return to Home' }).click();
      await page.getByRole('contentinfo').locator(`a[href="${choice.path}"]`).click();
      await expect(email).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL('/');
      await page.goBack();
      await expect(confirmation).toBeVisible();
      await page.reload();
      await expect(email).toHaveValue('');
    });

    test('Back from another document shows the confirmation, and a reload or a new visit the form', async ({
      page,
    }) => {
      const elsewhere = 'https://elsewhere.example/';
      await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }));
      await page.goto(choice.path);
      const { main, email, button } = choiceForm(page);
      await fillIn(page);
      await button.click();
      const confirmation = main.getByRole('heading', { name: choice.confirmation });
      await expect(confirmation).toBeVisible();
      await page.goto(elsewhere);
      await page.goBack();
      await expect(confirmation).toBeVisible();
      await page.goto(`${choice.path}?from=mail`);
      await expect(email).toHaveValue('');
      await page.goBack();
      await expect(confirmation).toBeVisible();
      await page.reload();
      await expect(email).toHaveValue('');
      await page.goto(elsewhere);
      await page.goBack();
      await expect(email).toBeVisible();
      await expect(confirmation).toBeHidden();
    });

    test('Back never shows a submitted form again, whichever entries its page has in the history', async ({ page }) => {
      await page.goto(choice.path);
      const { main, button } = choiceForm(page);
      const footer = page.getByRole('contentinfo');
      const home = main.getByRole('link', { name: 'Return to Home' });
      const confirmation = main.getByRole('heading', { name: choice.confirmation });
      await page.evaluate(() =>
        document.body.append(Object.assign(document.createElement('a'), { href: '?from=mail' })),
      );
      await page.locator('a[href="?from=mail"]').dispatchEvent('click');
      await expect(page).toHaveURL(`${choice.path}?from=mail`);
      await fillIn(page);
      await button.click();
      await footer.locator(`a[href="${choice.path}"]`).click();
      await expect(page).toHaveURL(choice.path);
      await footer.locator(`a[href="${choice.path}"]`).click();
      await home.click();
      await expect(page).toHaveURL('/');
      await page.goBack();
      await expect(confirmation).toBeVisible();
      await page.goForward();
      await expect(page).toHaveURL('/');
      for (const steps of [-2, 2, -3]) await page.evaluate((to) => history.go(to), steps);
      await expect(page).toHaveURL(choice.path);
      await expect(confirmation).toBeVisible();
      await expect(main.locator('form')).toHaveCount(0);
    });

    test('Back shows the confirmation of a request that was left while it was processed', async ({ page }) => {
      await page.clock.install();
      await page.goto(choice.path);
      const { main, button } = choiceForm(page);
      await fillIn(page);
      await stopClock(page);
      await button.click();
      await page.getByRole('banner').getByRole('link', { name: 'Back to Home' }).click();
      await expect(page).toHaveURL('/');
      await page.goBack();
      await expect(button).toHaveText('Processing...');
      await page.clock.fastForward(1000);
      await expect(main.getByRole('heading', { name: choice.confirmation })).toBeVisible();
    });

    test('a jump in the history from a new form to a submitted one shows the confirmation, and back the form', async ({
      page,
    }) => {
      await page.goto(choice.path);
      const { main, email, button } = choiceForm(page);
      await fillIn(page);
      await button.click();
      const confirmation = main.getByRole('heading', { name: choice.confirmation });
      await main.getByRole('link', { name: 'Return to Home' }).click();
      await expect(page).toHaveURL('/');
      await page.getByRole('contentinfo').locator(`a[href="${choice.path}"]`).click();
      await expect(email).toBeVisible();
      await page.evaluate(() => history.go(-2));
      await expect(confirmation).toBeVisible();
      await page.evaluate(() => history.go(2));
      await expect(email).toHaveValue('');
    });

    test('the link and the logo in the header lead to the home page', async ({ page }) => {
      await page.goto(choice.path);
      const header = page.getByRole('banner');
      await header.getByRole('link', { name: 'Back to Home' }).click();
      await expect(page).toHaveURL('/');
      await page.goBack();
      await header.getByRole('link', { name: 'Daybook' }).click();
      await expect(page).toHaveURL('/');
    });
  });
}

import { expect, recordCalls, test } from '../support/test.ts';

test('a reader unsubscribes: one second of processing, then the confirmation, and no call is made', async ({
  page,
  consoleLines,
}) => {
  await page.clock.install();
  await page.goto('/unsubscribe');
  const calls = recordCalls(page);
  await page.getByRole('textbox').fill('reader@example.com');
  const button = page.locator('main button[type="submit"]');
  await expect(button).toHaveText('Unsubscribe');
  await page.clock.pauseAt(Date.now() + 60_000);
  await button.click();
  await expect(button).toHaveText('Processing...');
  await page.clock.fastForward(999);
  await expect(button).toHaveText('Processing...');
  await page.clock.fastForward(1);
  const confirmation = page.getByRole('heading', { name: 'Unsubscribe Request Submitted' });
  await expect(confirmation).toBeFocused();
  await expect(page.getByRole('main')).toContainText('48 hours');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  expect(calls).toEqual([]);
  expect(consoleLines.some((line) => line.includes('reader@example.com'))).toBe(true);
});

for (const address of ['', 'reader.example.com']) {
  test(`“${address}” is answered with an alert that also stays beside the field`, async ({ page }) => {
    await page.goto('/unsubscribe');
    const alerts: string[] = [];
    page.on('dialog', async (dialog) => {
      alerts.push(dialog.message());
      await dialog.accept();
    });
    await page.getByRole('textbox').fill(address);
    await page.locator('main button[type="submit"]').click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Please enter a valid email address');
    expect(alerts).toEqual(['Please enter a valid email address']);
  });
}

test('the header leads home by logo and by link', async ({ page }) => {
  await page.goto('/unsubscribe');
  await page.getByRole('banner').getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await page.getByRole('banner').getByRole('link', { name: 'Daybook' }).click();
  await expect(page).toHaveURL('/');
});

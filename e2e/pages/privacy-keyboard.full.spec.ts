import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { choiceForm, privacyChoices, stopClock } from './privacy-choices.ts';

/** Moves the focus to the form's first field, past the skip link and the two links of the header. */
async function tabToForm(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const name of ['Skip to the content', 'Daybook, home', 'Back to Home']) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(choiceForm(page).email).toBeFocused();
}

/** Presses the focused button, waits for the confirmation and follows the next link, to the home page. */
async function submitAndGoHome(page: Page, confirmation: string): Promise<void> {
  const { main, button } = choiceForm(page);
  await expect(button).toBeFocused();
  await stopClock(page);
  await page.keyboard.press('Space');
  await expect(button).toHaveText('Processing...');
  await expect(button).toBeFocused();
  await page.clock.fastForward(1000);
  await expect(main.getByRole('heading', { level: 2, name: confirmation })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(main.getByRole('link', { name: 'Return to Home' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
}

test.beforeEach(async ({ page }) => page.clock.install());

for (const choice of privacyChoices.filter(({ logged }) => Object.keys(logged).length === 1)) {
  test(`${choice.path} works by keyboard`, async ({ page }) => {
    await page.goto(choice.path);
    await tabToForm(page);
    await page.keyboard.type('reader@example.com');
    await page.keyboard.press('Tab');
    await submitAndGoHome(page, choice.confirmation);
  });
}

test('/privacy-rights-request works by keyboard', async ({ page, consoleLines }) => {
  await page.goto('/privacy-rights-request');
  await tabToForm(page);
  await page.keyboard.type('reader@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ada Reader');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('combobox')).toHaveValue('delete');
  await page.keyboard.press('Tab');
  await page.keyboard.type('All of it.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Thank you.');
  await page.keyboard.press('Tab');
  await submitAndGoHome(page, 'Request Submitted Successfully');
  const details = {
    email: 'reader@example.com',
    name: 'Ada Reader',
    requestType: 'delete',
    comments: 'All of it.\nThank you.',
  };
  expect(consoleLines.some((line) => line.includes(JSON.stringify(details)))).toBe(true);
});

test('/limit-sensitive-info works by keyboard', async ({ page, consoleLines }) => {
  await page.goto('/limit-sensitive-info');
  await tabToForm(page);
  await page.keyboard.type('reader@example.com');
  for (const [name, presses] of [
    ['Financial Information', 1],
    ['Health Information', 0],
    ['Precise Location Data', 2],
    ['Demographic Information', 0],
    ['Biometric Information', 3],
    ['Browsing History', 1],
  ] as const) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('checkbox', { name })).toBeFocused();
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('Space');
  }
  await page.keyboard.press('Tab');
  await submitAndGoHome(page, 'Request Submitted Successfully');
  const details = { email: 'reader@example.com', categoriesToLimit: ['financial', 'biometric', 'browsing'] };
  expect(consoleLines.some((line) => line.includes(JSON.stringify(details)))).toBe(true);
});

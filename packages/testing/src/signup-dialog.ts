import { expect, type Locator, type Page } from '@playwright/test';

/** Returns the first button of the home page that opens the dialog. */
export const subscribeButton = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('button', { name: /subscribe/i })
    .first();

/** Returns locators of the home page's dialog with the signup form, open or closed. */
export function signupDialog(page: Page) {
  const dialog = page.getByRole('dialog');
  return { dialog, email: dialog.getByRole('textbox'), submit: dialog.locator('button[type="submit"]') };
}

/** Opens the home page, of this or another site, and its signup dialog. */
export async function openSignupDialog(page: Page, home = '/') {
  await page.goto(home);
  await subscribeButton(page).click();
  const dialog = signupDialog(page);
  // The press loads the form; typing works once its field has the focus.
  await expect(dialog.email).toBeFocused();
  return dialog;
}

import { expect, type Locator, type Page } from '@playwright/test';

/** Locators of the home page's dialog with the signup form. */
export interface SignupDialog {
  readonly dialog: Locator;
  readonly email: Locator;
  readonly submit: Locator;
}

/** Returns the first button of the home page that opens the dialog. */
export const subscribeButton = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('button', { name: /subscribe/i })
    .first();

/** Returns the parts of the signup dialog, open or closed. */
export function signupDialog(page: Page): SignupDialog {
  const dialog = page.getByRole('dialog');
  return { dialog, email: dialog.getByRole('textbox'), submit: dialog.locator('button[type="submit"]') };
}

/** Opens the home page, of this or another site, and its signup dialog. */
export async function openSignupDialog(page: Page, home = '/'): Promise<SignupDialog> {
  await page.goto(home);
  await subscribeButton(page).click();
  const dialog = signupDialog(page);
  // The press loads the form; typing works once its field has the focus.
  await expect(dialog.email).toBeFocused();
  return dialog;
}

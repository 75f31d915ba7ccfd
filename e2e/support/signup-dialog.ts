import { expect, type Locator, type Page } from '@playwright/test';

/** The dialog of the home page with the signup form in it. */
export interface SignupDialog {
  readonly dialog: Locator;
  readonly email: Locator;
  readonly submit: Locator;
}

/** The first button of the home page that opens the dialog. */
export const subscribeButton = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('button', { name: /subscribe/i })
    .first();

/** The parts of the signup dialog, whether it is open or not. */
export function signupDialog(page: Page): SignupDialog {
  const dialog = page.getByRole('dialog');
  return { dialog, email: dialog.getByRole('textbox'), submit: dialog.locator('button[type="submit"]') };
}

/** Opens the home page, of this site or of another one, and by its first subscribe button the signup dialog. */
export async function openSignupDialog(page: Page, home = '/'): Promise<SignupDialog> {
  await page.goto(home);
  await subscribeButton(page).click();
  const dialog = signupDialog(page);
  // The form comes with the press; typing may start when its field has the focus.
  await expect(dialog.email).toBeFocused();
  return dialog;
}

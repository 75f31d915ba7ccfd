import type { Page } from '@playwright/test';

/** Duration of processing in ms (docs/product.md, Constants). */
export const processingDelay = 1000;

/** Locators of a privacy choice's page; by what the form is, because its words are its team's. */
export function choiceForm(page: Page) {
  const main = page.getByRole('main');
  return {
    main,
    form: main.locator('form'),
    email: main.locator('input[name="email"]'),
    name: main.locator('input[name="name"]'),
    button: main.locator('button[type="submit"]'),
    busyButton: main.locator('button[type="submit"][aria-disabled="true"]'),
    message: main.getByRole('alert'),
    confirmation: main.locator('h2#confirmation'),
    homeLink: main.locator('a[href="/"]'),
  };
}

export async function fillIn(page: Page): Promise<void> {
  const { main, email, name } = choiceForm(page);
  await email.fill('reader@example.com');
  if (await name.isVisible()) await name.fill('Ada Reader');
  const category = main.getByRole('checkbox').first();
  if (await category.isVisible()) await category.check();
}

/** Records the texts of the page's native alerts from now on and accepts each. */
export function recordAlerts(page: Page): readonly string[] {
  const alerts: string[] = [];
  page.on('dialog', async (dialog) => {
    alerts.push(dialog.message());
    await dialog.accept();
  });
  return alerts;
}

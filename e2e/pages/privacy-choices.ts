import type { Page } from '@playwright/test';

/** Duration of processing in ms (docs/product.md, Constants). */
export const processingDelay = 1000;

/** Locators of a privacy choice's page. */
export function choiceForm(page: Page) {
  const main = page.getByRole('main');
  return {
    main,
    email: main.getByRole('textbox', { name: 'Email address' }),
    name: main.getByRole('textbox', { name: 'Full name' }),
    button: main.locator('button[type="submit"]'),
    message: main.getByRole('alert'),
  };
}

/** Fills in each field of the page's form with a valid value. */
export async function fillIn(page: Page): Promise<void> {
  const { main, email, name } = choiceForm(page);
  await email.fill('reader@example.com');
  if (await name.isVisible()) await name.fill('Ada Reader');
  const health = main.getByRole('checkbox', { name: 'Health Information' });
  if (await health.isVisible()) await health.check();
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

import type { Page } from '@playwright/test';

/** Duration of processing in ms (docs/product.md, Constants). */
export const processingDelay = 1000;

const logged = { email: 'reader@example.com' };
const byEmail = 'The sure way to make this request, or to ask about it, is to email';

/**
 * The pages of privacy choices as specified in docs/product.md, Privacy choices: with the paragraphs of the confirmation,
 * the text before the support address, and the values that are logged after `fillIn`.
 */
export const privacyChoices = [
  {
    path: '/unsubscribe',
    title: 'Unsubscribe',
    button: 'Unsubscribe',
    confirmation: 'Unsubscribe Request Submitted',
    paragraphs: [
      'Please allow up to 48 hours for your request to be processed.',
      'After that you will get no more newsletters or promotional emails from us. You are welcome back at any time.',
    ],
    supportNote: 'Still getting emails after 48 hours, or want to be certain? The sure way is to email',
    logged,
  },
  {
    path: '/ca-unsubscribe',
    title: 'California Specific Unsubscribe',
    button: 'Unsubscribe',
    confirmation: 'Unsubscribe Request Submitted',
    paragraphs: [
      'Please allow up to 48 hours for your request to be processed.',
      'Once it has been processed, you will receive no more newsletter or promotional emails from us.',
    ],
    supportNote: 'If you still receive emails after 48 hours, please contact support. The sure way is to email',
    logged,
  },
  {
    path: '/privacy-rights-request',
    title: 'Privacy Rights Request',
    button: 'Submit Request',
    confirmation: 'Request Submitted Successfully',
    paragraphs: [
      'Your request will be processed within 45 days as required by law.',
      'A confirmation email will follow at the address you gave.',
    ],
    supportNote: byEmail,
    logged: { ...logged, name: 'Ada Reader', requestType: 'access', comments: '' },
  },
  {
    path: '/profiling-opt-out',
    title: 'Profiling Opt-Out',
    button: 'Opt Out of Profiling',
    confirmation: 'Opt-Out Request Submitted',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'You will continue to receive the newsletter, but it will no longer be personalized for you.',
    ],
    supportNote: byEmail,
    logged,
  },
  {
    path: '/targeted-opt-out',
    title: 'Targeted Advertising Opt-Out',
    button: 'Opt Out of Targeted Ads',
    confirmation: 'Opt-Out Request Submitted',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'You will continue to receive newsletter and promotional emails, but they will no longer be tailored to your browsing behavior or interests.',
    ],
    supportNote: byEmail,
    logged,
  },
  {
    path: '/limit-sensitive-info',
    title: 'Limit Use of Sensitive Information',
    button: 'Submit Request',
    confirmation: 'Request Submitted Successfully',
    paragraphs: [
      'Your request will be processed within 15 business days.',
      'A confirmation email will follow at the address you gave.',
    ],
    supportNote: byEmail,
    logged: { ...logged, categoriesToLimit: ['health'] },
  },
];

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

/** Console message that `breakProcessing` causes. */
export const processingFailure = / failed: Error: out of order$/m;

/** Makes the next processing of a request on the page fail: its values cannot be serialized. */
export async function breakProcessing(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { stringify } = JSON;
    JSON.stringify = (value: unknown, ...options: never[]) => {
      if (!(value instanceof Object && 'email' in value)) return stringify(value, ...options);
      JSON.stringify = stringify;
      throw new Error('out of order');
    };
  });
}

/** Stops the page's clock: the test controls the duration of processing. Install the clock before opening the page. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
}

import type { Page } from '@playwright/test';
import { expect, recordCalls, stubSponsors, test } from '../support/test.ts';

const demoNotice = 'This is a demo. Nothing you entered was sent.';

const landings = [
  {
    path: '/offer-landing/emergency-pendant',
    heading: 'Help at the press of a button',
    figure: '$150 off a home security system',
  },
  { path: '/offer-landing/dental-savings', heading: 'Pay less at the dentist', figure: 'Plans from $9.95 a month' },
  { path: '/offer-landing/hearing-aids', heading: 'Hear it for yourself', figure: '45 days free trial at home' },
] as const;

const forms = [
  { path: '/offer-landing/dental-savings', button: 'See plans near me' },
  { path: '/offer-landing/hearing-aids', button: 'Start my free trial' },
] as const;

/** Accepts the page's alerts and records their texts. */
function acceptAlerts(page: Page): readonly string[] {
  const alerts: string[] = [];
  page.on('dialog', async (dialog) => {
    alerts.push(`${dialog.type()}: ${dialog.message()}`);
    await dialog.accept();
  });
  return alerts;
}

for (const { path, heading, figure } of landings) {
  test(`${path} is marked as sponsored, shows its figure, and links back to the thank-you page`, async ({ page }) => {
    const calls = recordCalls(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    const main = page.getByRole('main');
    await expect(main.getByText('Sponsored', { exact: true })).toBeVisible();
    await expect(main).toContainText(figure);
    expect(calls).toEqual([]);
    await main.getByRole('link', { name: 'Back to your subscription' }).click();
    await expect(page).toHaveURL('/thank-you');
  });
}

test('the pendant’s page opens the sponsor in a new tab', async ({ page }) => {
  await stubSponsors(page);
  await page.goto('/offer-landing/emergency-pendant');
  const link = page.getByRole('link', { name: 'See the offer at Vivint' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
  const tab = page.context().waitForEvent('page');
  await link.click();
  await expect.poll(async () => (await tab).url()).toBe('https://sponsors.daybook.example/home-security');
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

for (const { path, button } of forms) {
  test(`the form of ${path} sends and stores nothing for any input`, async ({ page }) => {
    const alerts = acceptAlerts(page);
    await page.goto(path);
    await expect(page.getByText('This form is a demo: nothing you enter is sent or kept.')).toBeVisible();
    const requests: string[] = [];
    page.on('request', (request) => {
      // Ignores prefetched build files, which contain no input.
      const isPrefetch = /\/(?:assets|remotes\/[\w-]+\/[\w.-]+)\/[\w.-]+\.[0-9a-f]{8}\.(?:js|css)$|\/registry\.json$/;
      if (!isPrefetch.test(request.url())) requests.push(request.url());
    });
    const status = page.getByRole('main').getByRole('status');
    await expect(status).toHaveText('');
    await page.getByRole('button', { name: button }).click();
    await expect(status).toHaveText(demoNotice);
    await expect.poll(() => alerts).toEqual([`alert: ${demoNotice}`]);

    await page.getByRole('textbox', { name: 'Full name' }).fill('Ruth Reader');
    await page.getByRole('textbox', { name: 'Phone number' }).fill('207-555-0100');
    await page.getByRole('textbox', { name: 'Email address' }).fill('not an address');
    await page.getByRole('textbox', { name: 'ZIP code' }).fill('04101');
    await page.getByRole('button', { name: button }).click();
    await expect.poll(() => alerts).toHaveLength(2);
    await expect(page).toHaveURL(path);
    expect(requests).toEqual([]);
    const stored = () => [JSON.stringify({ ...localStorage, ...sessionStorage }), document.cookie].join();
    expect(await page.evaluate(stored)).not.toMatch(/Ruth|555|04101|not an address/);
  });

  test(`the form of ${path} works by keyboard`, async ({ page }) => {
    const alerts = acceptAlerts(page);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).focus();
    for (const [name, value] of [
      ['Full name', 'Ruth Reader'],
      ['Phone number', '207-555-0100'],
      ['Email address', 'ruth@example.com'],
      ['ZIP code', '04101'],
    ] as const) {
      await page.keyboard.press('Tab');
      await expect(page.getByRole('textbox', { name })).toBeFocused();
      await page.keyboard.type(value);
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => alerts).toEqual([`alert: ${demoNotice}`]);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: button })).toBeFocused();
    await page.keyboard.press('Space');
    await expect.poll(() => alerts).toHaveLength(2);
    await expect(page.getByRole('button', { name: button })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Back to your subscription' })).toBeFocused();
  });
}

import { accessibilityFindings } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/** Title of each legal page, and the times and terms that its text must state (docs/product.md, Constants). */
const legalPages = [
  { path: '/terms', title: 'Terms of Service', states: ['48 hours', '30 days’ notice'] },
  {
    path: '/privacy-policy',
    title: 'Privacy Policy',
    states: [
      '48 hours',
      '45 days',
      '15 business days',
      '30 days’ notice',
      '90 days',
      '12 months',
      'Global Privacy Control',
      'under 18',
    ],
  },
  {
    path: '/california-privacy-notice',
    title: 'California Privacy Notice',
    states: ['48 hours', '45 days', '15 business days', '30 days’ notice', '90 days', '12 months'],
  },
  {
    path: '/e-consent',
    title: 'Electronic Communications Consent',
    states: ['48 hours', '45 days', '15 business days', '30 days'],
  },
  {
    path: '/cookie-policy',
    title: 'Cookie Policy',
    states: [
      '48 hours',
      '45 days',
      '15 business days',
      '30 days’ notice',
      '30 days from the latest sign-up',
      '90 days',
    ],
  },
] as const;

const privacyPages = [
  '/ca-unsubscribe',
  '/privacy-rights-request',
  '/profiling-opt-out',
  '/targeted-opt-out',
  '/limit-sensitive-info',
];

async function open(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
}

for (const { path, title, states } of legalPages) {
  test.describe(title, () => {
    test('shows its title, date and description, and states the retention times', async ({ page }) => {
      await open(page, path, title);
      await expect(page).toHaveTitle(`${title} | Daybook`);
      await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /Daybook/);
      const main = page.getByRole('main');
      await expect(main.getByText('Last Updated: May 20, 2025', { exact: true })).toBeVisible();
      for (const statement of states) await expect(main).toContainText(statement);
    });

    test('every link of the contents leads to its section by keyboard', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 800 });
      await open(page, path, title);
      const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
      const names = await links.allTextContents();
      expect(names).toEqual(await page.getByRole('main').locator('h2[id]:not(#contents, #contact)').allTextContents());
      for (const name of names) {
        await links.getByText(name, { exact: true }).press('Enter');
        const section = page.getByRole('heading', { level: 2, name, exact: true });
        await expect(section).toBeInViewport();
        await expect(page).toHaveURL(`${path}#${await section.getAttribute('id')}`);
      }
    });

    test('every link on the page has an existing target', async ({ page }) => {
      await open(page, path, title);
      const addresses = await page
        .getByRole('main')
        .getByRole('link')
        .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href') ?? ''))]);
      for (const address of addresses) {
        if (address.startsWith('#')) await expect(page.locator(address)).toHaveCount(1);
        else if (address.startsWith('/')) {
          const response = await page.request.get(address);
          expect(response.status(), address).toBe(200);
        } else expect(address).toBe('mailto:support@daybook.example');
      }
    });

    test('is printed with its date and without contents and navigation', async ({ page }) => {
      await open(page, path, title);
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByText('Last Updated: May 20, 2025', { exact: true })).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
      await expect(page.getByRole('navigation', { name: 'Footer' })).toBeHidden();
      const pdf = await page.pdf({ format: 'Letter' });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    });
  });
}

test('axe reports no violations on a legal page in a narrow window, with the contents above the text', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/terms');
  expect(await accessibilityFindings(page)).toEqual([]);
});

for (const path of ['/privacy-policy', '/california-privacy-notice']) {
  test(`${path} links to the five privacy pages and names the mailbox for requests`, async ({ page }) => {
    await page.goto(path);
    const main = page.getByRole('main');
    for (const address of privacyPages) await expect(main.locator(`a[href="${address}"]`).first()).toBeVisible();
    await expect(main).toContainText('The sure way is to email our support address');
    await expect(main).toContainText('If the confirmation has a reference number, your request has reached us');
    await main.getByRole('link', { name: 'support address' }).first().click();
    await expect(page.getByRole('region', { name: 'Contact' })).toBeInViewport();
  });
}

test('all categories of California law are listed, and none is sold or shared', async ({ page }) => {
  await page.goto('/california-privacy-notice');
  const table = page.getByRole('table').filter({ hasText: 'Sold or shared' });
  await expect(table.getByRole('rowheader')).toHaveText([
    'Identifiers',
    'Customer records',
    'Protected characteristics',
    'Commercial information',
    'Biometric information',
    'Internet or network activity',
    'Geolocation',
    'Audio, visual or similar information',
    'Professional or employment information',
    'Education information',
    'Inferences',
    'Sensitive personal information',
  ]);
  const rows = await table.getByRole('row').all();
  for (const row of rows.slice(1)) await expect(row.getByRole('cell').last()).toHaveText(/No$/);
});

test('a link to a section of another page opens that page at the section', async ({ page }) => {
  await page.goto('/e-consent');
  await page.getByRole('main').locator('a[href="/privacy-policy#how-long-we-keep-it"]').click();
  await expect(page).toHaveURL('/privacy-policy#how-long-we-keep-it');
  await expect(page.getByRole('heading', { name: 'How long we keep it' })).toBeInViewport();
});

import { accessibilityFindings } from '@daybook/testing/page-checks';
import type { Locator, Page } from '@playwright/test';
import { subscribeButton } from '../support/signup-dialog.ts';
import { expect, newAddress, recordCalls, stubSponsors, test } from '../support/test.ts';

/** Title of each legal page, and the times and terms that its text must state (docs/product.md, Constants). */
const legalPages = [
  { path: '/terms', title: 'Terms of Service', states: ['48 hours', '30 days’ notice'] },
  {
    path: '/privacy-policy',
    title: 'Privacy Policy',
    states: ['48 hours', '45 days', '15 business days', '30 days’ notice', '90 days', '12 months', 'under 18'],
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

const hrefsOf = (links: Locator) =>
  links.evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))]);

for (const { path, title, states } of legalPages) {
  test(`${path} shows its title and date, states the retention times, and has a target for each link`, async ({
    page,
  }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    const main = page.getByRole('main');
    const date = main.getByText('Last Updated: May 20, 2025', { exact: true });
    await expect(date).toBeVisible();
    for (const statement of states) await expect(main).toContainText(statement);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.getByRole('link').allTextContents()).toEqual(
      await main.locator('h2[id]:not(#contents, #contact)').allTextContents(),
    );
    for (const address of await hrefsOf(main.getByRole('link'))) {
      if (address.startsWith('#')) await expect(page.locator(address)).toHaveCount(1);
      else if (address.startsWith('/')) expect((await page.request.get(address)).status(), address).toBe(200);
      else expect(address).toBe('mailto:support@daybook.example');
    }
    await page.emulateMedia({ media: 'print' });
    await expect(date).toBeVisible();
    await expect(contents).toBeHidden();
    await expect(page.getByRole('navigation', { name: 'Footer' })).toBeHidden();
  });
}

test('privacy policy and California notice link to the privacy pages, and name the mailbox for requests', async ({
  page,
}) => {
  for (const path of ['/privacy-policy', '/california-privacy-notice']) {
    await page.goto(path);
    const main = page.getByRole('main');
    expect(await hrefsOf(main.getByRole('link'))).toEqual(
      expect.arrayContaining([
        '/ca-unsubscribe',
        '/privacy-rights-request',
        '/profiling-opt-out',
        '/targeted-opt-out',
        '/limit-sensitive-info',
      ]),
    );
    await expect(main).toContainText('The sure way is to email our support address');
    await expect(main).toContainText('If the confirmation has a reference number, your request has reached us');
  }
  await expect(page.getByRole('main')).toContainText('Global Privacy Control');
});

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

test.describe('the list of cookies', () => {
  const listed = ['waitlist', 'bucket', 'userEmail', 'enteredEmail', 'answeredOffersOf', 'scroll-positions'];

  /** Returns the names of all entries that the site stores in this browser. */
  async function namesInBrowser(page: Page): Promise<string[]> {
    const cookies = await page.context().cookies();
    const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    return [...cookies.map(({ name }) => name), ...stored].sort();
  }

  test('has each entry with its place, also on a phone', async ({ page }) => {
    await page.goto('/cookie-policy');
    const table = page.getByRole('table');
    await expect(table.getByRole('rowheader')).toHaveText(listed);
    for (const [name, place] of [
      ['waitlist', 'Cookie'],
      ['userEmail', 'Local storage'],
      ['enteredEmail', 'Session storage'],
      ['answeredOffersOf', 'Session storage'],
    ] as const)
      await expect(table.getByRole('row').filter({ hasText: name }).getByRole('cell').first()).toContainText(place);
    await page.setViewportSize({ width: 320, height: 800 });
    for (const column of ['Where: ', 'What it is for: ', 'How long: '])
      await expect(page.locator('tbody tr').first().getByText(column, { exact: true })).toBeVisible();
    await expect(page.getByText('Name', { exact: true })).toBeHidden();
  });

  test('is all that a journey stores, and only scroll positions are stored without a signup', async ({ page }) => {
    await stubSponsors(page);
    await page.goto('/');
    await page.getByRole('contentinfo').locator('a[href="/terms"]').click();
    await expect(page).toHaveURL('/terms');
    await page.reload();
    expect(await namesInBrowser(page)).toEqual(['scroll-positions']);
    await page.goto('/');
    await subscribeButton(page).click();
    await page.getByRole('dialog').getByRole('textbox').fill(newAddress('cookies'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/thank-you\?/);
    await page.locator('a[href^="/continue-registration"]').first().click();
    await page.getByRole('button', { name: 'No thanks' }).click();
    await page.waitForURL(/\/thank-you\?/);
    await page.reload();
    // No canary runs here, so its cookie is not set.
    expect(await namesInBrowser(page)).toEqual(listed.filter((name) => name !== 'bucket').sort());
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'waitlist');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api' });
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / (24 * 60 * 60);
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
  });
});

test.describe('the accessible view', () => {
  const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe Now' });

  test('has its own sections and footer, and a link back instead of the site’s header', async ({ page }) => {
    await page.goto('/accessible-view');
    await expect(page.getByRole('banner')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toHaveCount(1);
    for (const [level, headings] of [
      [1, ['Daybook: Accessible View']],
      [
        2,
        [
          'Accessibility features of this page',
          'Contents',
          'About Daybook',
          'The daily newsletter',
          'Features',
          'Subscribe',
          'Contact',
          'Accessibility statement',
        ],
      ],
      [3, ['Market Updates', 'Saving Strategies', 'Investment Insights']],
    ] as const)
      await expect(page.getByRole('heading', { level })).toHaveText([...headings]);
    for (const listed of [
      'High contrast',
      'Simplified layout',
      'Screen reader compatibility',
      'Keyboard navigation',
      'No animations or autoplay',
      'market trends',
      'saving strategies',
      'investment insights',
      'retirement planning',
    ])
      await expect(page.getByRole('listitem').filter({ hasText: listed })).toBeVisible();
    await expect(page.getByText(/WCAG\) 2\.1 at Level AA/)).toBeVisible();
    expect(await hrefsOf(page.getByRole('contentinfo').getByRole('link'))).toEqual([
      '/terms',
      '/privacy-policy',
      '/unsubscribe',
    ]);
    await page.getByRole('link', { name: 'Back to Standard View' }).click();
    await expect(page).toHaveURL('/');
  });

  test('has a link to each section, which moves the focus there', async ({ page }) => {
    await page.goto('/accessible-view');
    for (const anchor of ['about', 'newsletter', 'features', 'contact', 'accessibility-statement']) {
      await page.locator(`nav a[href="#${anchor}"]`).click();
      await expect(page).toHaveURL(`/accessible-view#${anchor}`);
      await expect(page.locator(`#${anchor}`)).toBeInViewport();
      await expect(page.locator(`#${anchor}`)).toBeFocused();
    }
  });

  test('has a form that sends and stores nothing, and every control works by keyboard', async ({
    page,
    consoleLines,
  }) => {
    await page.goto('/accessible-view');
    const calls = recordCalls(page);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.locator('#about')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('textbox')).toBeFocused();
    await page.keyboard.type('reader@example.com');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status')).toContainText('Nothing was sent, and you are not subscribed yet.');
    await page.keyboard.press('Tab');
    await expect(subscribe(page)).toBeFocused();
    await page.keyboard.press('Space');
    await expect(page.getByRole('textbox')).toHaveValue('reader@example.com');
    const reached: unknown[] = [];
    for (let press = 0; press < 7; press += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(() => document.activeElement?.getAttribute('href')));
    }
    const mail = expect.stringMatching(/^mailto:/);
    expect(reached).toEqual(['/', mail, mail, mail, '/terms', '/privacy-policy', '/unsubscribe']);
    expect(calls).toEqual([]);
    await expect(page).toHaveURL('/accessible-view#about');
    expect(consoleLines.join()).not.toContain('reader@example.com');
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain('reader@example.com');
  });

  test('has a contrast of 7:1, no animation, and the support address on lines that fit, and prints black on white', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto('/accessible-view');
    const links = page.getByRole('main').getByRole('link', { name: 'support@daybook.example', exact: true });
    await expect(links).toHaveCount(3);
    for (const link of await links.all()) {
      const linesOfHost = await link.evaluate((element) => {
        const host = document.createRange();
        if (element.lastChild) host.selectNode(element.lastChild);
        return [host.toString(), new Set([...host.getClientRects()].map(({ top }) => top)).size];
      });
      expect(linesOfHost).toEqual(['daybook.example', 1]);
    }
    await subscribe(page).click();
    await expect(page.getByRole('status')).not.toBeEmpty();
    await subscribe(page).hover();
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await expect(page.locator('video, audio, marquee, img[src$=".gif"]')).toHaveCount(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFindings(page, ['color-contrast-enhanced'])).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(0, 0, 0)');
    await expect(page.getByRole('link', { name: 'Terms of Service' })).toHaveCSS('color', 'rgb(0, 0, 0)');
    await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
  });

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false });

    test('shows the current year in its copyright line', async ({ page }) => {
      await page.goto('/accessible-view');
      const year = new Date().getUTCFullYear();
      await expect(page.getByText(/^©/)).toHaveText(`© ${year} Daybook Publishing Co. All rights reserved.`);
    });
  });
});

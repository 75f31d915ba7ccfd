import { accessibilityFindings, untilHydrated } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';
import { expect, recordCalls, test } from '../support/test.ts';

const anchors = ['about', 'newsletter', 'features', 'contact', 'accessibility-statement'];

async function open(page: Page): Promise<void> {
  await page.goto('/accessible-view');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Daybook: Accessible View');
}

test('has its own footer and a link back instead of the site’s header and footer', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('main')).toHaveCount(1);
  await expect(page.getByRole('contentinfo')).toHaveCount(1);
  await expect(page.getByRole('contentinfo').getByRole('link')).toHaveText([
    'Terms of Service',
    'Privacy Policy',
    'Unsubscribe',
  ]);
  await page.getByRole('link', { name: 'Back to Standard View' }).click();
  await expect(page).toHaveURL('/');
});

test('shows the accessibility features, the sections and the three features of the newsletter', async ({ page }) => {
  await open(page);
  for (const name of [
    'High contrast',
    'Simplified layout',
    'Screen reader compatibility',
    'Keyboard navigation',
    'No animations or autoplay',
  ]) {
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  }
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Accessibility features of this page',
    'Contents',
    'About Daybook',
    'The daily newsletter',
    'Features',
    'Subscribe',
    'Contact',
    'Accessibility statement',
  ]);
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Market Updates',
    'Saving Strategies',
    'Investment Insights',
  ]);
  for (const included of ['market trends', 'saving strategies', 'investment insights', 'retirement planning']) {
    await expect(page.getByRole('listitem').filter({ hasText: included })).toBeVisible();
  }
  await expect(page.getByText(/WCAG\) 2\.1 at Level AA/)).toBeVisible();
  await expect(page.locator('a[href^="mailto:support@daybook.example"]')).toHaveCount(3);
});

test('each link of the contents scrolls to its section and moves the focus there', async ({ page }) => {
  await open(page);
  const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
    anchors.map((anchor) => `#${anchor}`),
  );
  for (const anchor of anchors) {
    await page.locator(`nav a[href="#${anchor}"]`).click();
    await expect(page).toHaveURL(`/accessible-view#${anchor}`);
    await expect(page.locator(`#${anchor}`)).toBeInViewport();
    await expect(page.locator(`#${anchor}`)).toBeFocused();
  }
});

test.describe('the Subscribe Now form', () => {
  for (const [how, press] of [
    ['a click', (page: Page) => page.getByRole('button', { name: 'Subscribe Now' }).click()],
    ['Enter in the field', (page: Page) => page.keyboard.press('Enter')],
  ] as const) {
    test(`${how} sends nothing, stays on the page and retains the typed values`, async ({ page, consoleLines }) => {
      await open(page);
      const calls = recordCalls(page);
      const pageLoads: string[] = [];
      page.on('framenavigated', (frame) => pageLoads.push(frame.url()));
      const field = page.getByRole('textbox', { name: 'Email address' });
      await field.fill('reader@example.com');
      await press(page);
      await expect(page.getByRole('status')).toContainText('Nothing was sent, and you are not subscribed yet.');
      await expect(field).toHaveValue('reader@example.com');
      await expect(page).toHaveURL('/accessible-view');
      expect(calls).toEqual([]);
      expect(pageLoads).toEqual([]);
      expect(consoleLines.join()).not.toContain('reader@example.com');
      expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
        'reader@example.com',
      );
    });
  }

  test('states that it is not connected and links to the form that is', async ({ page }) => {
    await open(page);
    await expect(page.getByText('This form is not connected: pressing the button sends nothing.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to the sign-up on the home page' }).click();
    await expect(page).toHaveURL('/');
  });
});

test('the footer links to terms, privacy policy and unsubscribe', async ({ page }) => {
  await open(page);
  const links = page.getByRole('navigation', { name: 'Legal' }).getByRole('link');
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    '/terms',
    '/privacy-policy',
    '/unsubscribe',
  ]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the copyright line shows the current year', async ({ page }) => {
    await open(page);
    const year = new Date().getUTCFullYear();
    await expect(page.getByText(/^©/)).toHaveText(`© ${year} Daybook Publishing Co. All rights reserved.`);
  });
});

for (const [clock, yearOf] of [
  ['years ahead', (year: number) => year + 5],
  ['years behind', (year: number) => year],
] as const)
  test(`the copyright line of a device whose clock is ${clock} shows the later year of server and device`, async ({
    page,
  }) => {
    const year = new Date().getUTCFullYear();
    await page.clock.setFixedTime(new Date(clock === 'years ahead' ? year + 5 : year - 5, 5, 15));
    await open(page);
    await untilHydrated(page);
    await expect(page.getByText(/^©/)).toHaveText(`© ${yearOf(year)} Daybook Publishing Co. All rights reserved.`);
  });

test('every control can be reached and used by keyboard', async ({ page }) => {
  await open(page);
  const reached: string[] = [];
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('href') ?? document.activeElement?.id ?? '');

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.locator('#about')).toBeFocused();

  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('reader@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('status')).toContainText('Nothing was sent');
  await expect(page.getByRole('button', { name: 'Subscribe Now' })).toBeFocused();

  for (let press = 0; press < 7; press += 1) {
    await page.keyboard.press('Tab');
    reached.push(await focused());
  }
  expect(reached).toEqual([
    '/',
    expect.stringMatching(/^mailto:/),
    expect.stringMatching(/^mailto:/),
    expect.stringMatching(/^mailto:/),
    '/terms',
    '/privacy-policy',
    '/unsubscribe',
  ]);
});

test('contrast is 7:1 in light and dark, and axe reports no violations, also after submitting', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Subscribe Now' }).click();
  await expect(page.getByRole('status')).not.toBeEmpty();
  expect(await accessibilityFindings(page)).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFindings(page, ['color-contrast-enhanced'])).toEqual([]);
  }
});

test('has no animations, videos or sound', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Subscribe Now' }).hover();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await expect(page.locator('video, audio, marquee, img[src$=".gif"]')).toHaveCount(0);
});

test('breaks the support address after its @ if the line is too short', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await open(page);
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
});

test('is printed black on white, also in dark mode', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await open(page);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.getByRole('link', { name: 'Terms of Service' })).toHaveCSS('color', 'rgb(0, 0, 0)');
  await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
});

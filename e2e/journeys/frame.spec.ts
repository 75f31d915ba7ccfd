import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

const footerLinks = [
  '/',
  '/#features',
  '/unsubscribe',
  '/terms',
  '/privacy-policy',
  '/cookie-policy',
  '/e-consent',
  '/california-privacy-notice',
  '/ca-unsubscribe',
  '/privacy-rights-request',
  '/profiling-opt-out',
  '/targeted-opt-out',
  '/limit-sensitive-info',
  '/accessible-view',
];

/** The registered routes of docs/product.md, Pages. */
const registeredRoutes = [
  '/',
  '/continue-registration',
  '/thank-you',
  '/ebook-download',
  '/redirect',
  '/offer-landing/emergency-pendant',
  '/offer-landing/dental-savings',
  '/offer-landing/hearing-aids',
  '/terms',
  '/privacy-policy',
  '/california-privacy-notice',
  '/e-consent',
  '/unsubscribe',
  '/cookie-policy',
  '/ca-unsubscribe',
  '/privacy-rights-request',
  '/profiling-opt-out',
  '/targeted-opt-out',
  '/limit-sensitive-info',
  '/accessible-view',
];

test('every registered route responds without signing in', async ({ request }) => {
  for (const path of registeredRoutes) expect((await request.get(path)).status(), path).toBe(200);
});

test('the footer of the home page has every link of docs/product.md', async ({ page }) => {
  await page.goto('/');
  const links = await page
    .getByRole('contentinfo')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links).toEqual(expect.arrayContaining(footerLinks));
});

for (const width of [390, 1280, 1920]) {
  test(`the logo is centered and at most 240 px wide at ${width} px`, { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    const logo = page.getByRole('banner').getByRole('img', { name: 'Daybook' });
    await expect(logo).toBeVisible();
    const { logoBox, pageWidth } = await logo.evaluate((element) => ({
      logoBox: element.getBoundingClientRect().toJSON(),
      pageWidth: document.documentElement.clientWidth,
    }));
    expect(logoBox.width).toBeLessThanOrEqual(240);
    expect(Math.abs(logoBox.x + logoBox.width / 2 - pageWidth / 2)).toBeLessThanOrEqual(8);
  });
}

test.describe('an unknown path', () => {
  test.use({ expectedStatuses: [404] });

  test('responds with 404 and the not-found page', async ({ page }) => {
    const response = await page.goto('/no/such/page?x=1');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
    await expect(page).toHaveTitle(/404 Page Not Found/);
  });
});

test('each navigation logs path and query to the console', async ({ page, consoleLines }) => {
  await page.goto('/?utm_source=advert');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page).toHaveURL('/terms');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(consoleLines.filter((line) => line.startsWith('/'))).toEqual([
    '/?utm_source=advert',
    '/terms',
    '/?utm_source=advert',
  ]);
});

test('a click on a link changes title and focus without a page load, and Back restores scroll position and focus', async ({
  page,
}) => {
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { stillHere: true }));
  const terms = page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' });
  await terms.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(0);
  await terms.click();
  await expect(page).toHaveTitle('Terms of Service | Daybook');
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(terms).toBeFocused();
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(Math.round(before));
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
});

test('Back restores the scroll position from an anchor on the same page', async ({ page }) => {
  await page.goto('/privacy-policy');
  const entry = page.getByRole('navigation', { name: 'Contents' }).getByRole('link').last();
  await entry.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => Math.round(scrollY));
  await entry.click();
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).not.toBe(before);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(before);
  await expect(entry).toBeFocused();
});

test('a link to the shown address adds no entry to the history', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Unsubscribe', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Unsubscribe' })).toBeFocused();
  const entries = await page.evaluate(() => history.length);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Unsubscribe', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Unsubscribe' })).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(entries);
});

for (const stored of ['null', '"text"', '{"/": "x"}', '{']) {
  test(`navigation works with scroll positions stored as ${stored} and a foreign history state @full`, async ({
    page,
  }) => {
    await page.addInitScript((text) => {
      sessionStorage.setItem('scroll-positions', text);
      history.replaceState([text], '');
    }, stored);
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Unsubscribe', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Unsubscribe' })).toBeFocused();
    await page.goBack();
    await expect(page).toHaveTitle('Daybook: The free daily finance newsletter');
    await page.reload();
    await expect(page).toHaveTitle('Daybook: The free daily finance newsletter');
  });
}

test('Back and Forward return the focus to where each page was left', async ({ page }) => {
  await page.goto('/terms');
  const anchor = page.getByRole('main').getByRole('link', { name: 'support address' }).first();
  const link = page.getByRole('main').getByRole('link', { name: 'Privacy Policy' }).first();
  await anchor.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/terms#contact');
  await link.scrollIntoViewIfNeeded();
  // The browser reports a scroll position in the next frame.
  await expect(link).toBeInViewport();
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeFocused();
  const contact = page.getByRole('contentinfo').getByRole('link', { name: 'Cookie Policy' });
  await contact.focus();
  await page.goBack();
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
  await page.goBack();
  await expect(anchor).toBeFocused();
  await page.goForward();
  await expect(link).toBeFocused();
  await page.goForward();
  await expect(contact).toBeFocused();
});

test('“Features” links from another page to the cards on the home page', async ({ page }) => {
  await page.goto('/terms');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Features' }).click();
  await expect(page).toHaveURL('/#features');
  await expect(page.locator('#features')).toBeInViewport();
});

test('an address with an anchor opens the page at its section', async ({ page }) => {
  await page.goto('/terms#sponsored-offers');
  await expect(page.getByRole('heading', { name: 'Sponsored offers' })).toBeInViewport();
});

for (const path of ['/', '/unsubscribe', '/terms', '/accessible-view', '/nowhere']) {
  test.describe(() => {
    test.use({ expectedStatuses: [404] });

    test(`F8 reaches the notifications before the first one on ${path}`, async ({ page }) => {
      await page.goto(path);
      await page.keyboard.press('F8');
      const list = page.getByRole('region', { name: /F8/ }).locator('ol');
      await expect(list).toBeFocused();
      await expect(list).toBeInViewport();
    });
  });
}

test.describe('a notification', () => {
  test.use({ expectedStatuses: [422] });

  test('gets the focus and stays as long as it has it after F8', async ({ page }) => {
    await page.clock.install();
    const { email } = await openSignupDialog(page);
    // A failure, after which the visitor stays on the page: a redirect moves the focus to the next one.
    const rejection = { statusCode: 422, message: 'We are closed for repairs.', error: 'CLOSED' };
    await page.route('**/api/waitlist', (route) => route.fulfill({ status: 422, json: rejection }));
    await email.fill('reader@example.com');
    await email.press('Enter');
    const notification = page.getByRole('listitem').filter({ hasText: rejection.message });
    await expect(notification).toBeVisible();
    // Twice: it is visible before it listens, and it listens to the key before it listens to the focus.
    for (let press = 1; press <= 2; press += 1) {
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await expect(async () => {
        await page.keyboard.press('F8');
        await expect(page.getByRole('region', { name: /F8/ }).locator('ol')).toBeFocused({ timeout: 500 });
      }).toPass();
    }
    await page.clock.fastForward(10_000);
    await expect(notification).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(notification).toBeHidden();
  });
});

test('the questions open and close by keyboard', { tag: '@full' }, async ({ page }) => {
  await page.goto('/');
  const question = page.locator('summary').filter({ hasText: 'Is it really free?' });
  const answer = question.locator('xpath=following-sibling::*[1]');
  await question.focus();
  await expect(answer).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(answer).toBeVisible();
  await page.keyboard.press('Space');
  await expect(answer).toBeHidden();
});

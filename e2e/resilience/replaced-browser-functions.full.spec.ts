import { expect, newEmail, test } from '@daybook/testing/browser-test';
import { headingOf } from '@daybook/testing/built-pages';
import { openSignupDialog } from '@daybook/testing/signup-dialog';

// Extensions, in-app browsers and user scripts remove and replace what the browser provides.
test.use({ expectedMessages: [/was replaced|not a constructor|not a function|is no script|Trusted/i] });

/** How browser functions are missing or broken. Each runs in the page before its own scripts. */
const replacements: Readonly<Record<string, () => void>> = {
  'missing functions': () => {
    const statics = 'IntersectionObserver MutationObserver MessageChannel structuredClone';
    for (const name of statics.split(' ')) Reflect.deleteProperty(globalThis, name);
    Reflect.deleteProperty(Navigator.prototype, 'sendBeacon');
    Reflect.deleteProperty(AbortSignal, 'timeout');
    Reflect.deleteProperty(Promise, 'withResolvers');
    Reflect.deleteProperty(URL, 'parse');
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID');
    Object.defineProperty(globalThis, 'console', { value: undefined });
  },
  'functions that throw': () => {
    const fail = () => {
      throw new Error('It was replaced.');
    };
    Navigator.prototype.sendBeacon = fail;
    Object.assign(performance, { getEntriesByType: fail, mark: fail });
    globalThis.scrollTo = fail;
    Object.assign(console, { log: fail, warn: fail, error: fail });
    Object.defineProperty(navigator, 'connection', { get: fail });
  },
  'another property of every object': () => void Object.assign(Object.prototype, { x: 1 }),
};

for (const [what, replace] of Object.entries(replacements))
  test(`with ${what}, links and the signup work`, async ({ page }) => {
    await page.addInitScript(replace);
    await page.goto('/');
    const opened = await page.evaluate(() => performance.timeOrigin);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
    expect(await page.evaluate(() => performance.timeOrigin), 'the same document').toBe(opened);
    const { email, submit } = await openSignupDialog(page);
    await email.fill(newEmail());
    await submit.click();
    await expect(page).toHaveURL(/\/thank-you\?id=\d+/);
  });

test('without any Trusted Types, a page stays readable, and its links load documents', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'trustedTypes', { value: 'It was replaced.' });
  });
  await page.goto('/', { waitUntil: 'load' });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeVisible();
  await expect(page).toHaveURL(/\/terms$/);
});

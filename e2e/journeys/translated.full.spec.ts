import type { Page } from '@playwright/test';
import { choiceForm, fillIn, recordAlerts } from '../pages/privacy-choices.ts';
import { headingOf } from '../support/built-pages.ts';
import { entriesOf } from '../support/entries.ts';
import { signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newEmail, stubSponsors, test } from '../support/test.ts';

/** The marks around each translated text; locators that find a part of a text find it translated as well. */
const translated = (text: string) => `«${text}»`;

/**
 * Runs in the page. Replaces each text like a browser's translator: by a translation in two nested `font` elements. The
 * text node that React rendered is no longer in the document.
 *
 * @param mode `once` for the texts of now; `continuously` also for those that are added or changed later
 */
function translateTexts(mode: 'once' | 'continuously'): void {
  const ignored = 'script, style, noscript, textarea, svg, head, [translate="no"]';
  const font = (child: Node) => {
    const element = document.createElement('font');
    element.style.verticalAlign = 'inherit';
    element.append(child);
    return element;
  };
  const translateText = (text: Text) => {
    const parent = text.parentElement;
    if (!parent || parent.localName === 'font' || parent.closest(ignored) || !/\p{L}/u.test(text.data)) return;
    const [, before, words, after] = /^(\s*)(.*?)(\s*)$/s.exec(text.data) ?? [];
    text.replaceWith(font(font(document.createTextNode(`${before}«${words}»${after}`))));
  };
  const translateIn = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = node instanceof Text ? [node] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) translateText(text);
  };
  translateIn(document);
  if (mode === 'once') return;
  new MutationObserver((mutations) => {
    for (const { type, target, addedNodes } of mutations)
      for (const node of type === 'characterData' ? [target] : addedNodes) if (node.isConnected) translateIn(node);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

const translateOnce = (page: Page) => page.evaluate(translateTexts, 'once' as const);

/** Translates every document from its first text on, long before hydration. */
async function translateFromTheStart(page: Page): Promise<void> {
  await page.addInitScript(translateTexts, 'continuously' as const);
}

test.describe('on a translated page', () => {
  test.beforeEach(async ({ page }) => {
    await stubSponsors(page);
    recordAlerts(page);
  });

  const arrive = async (page: Page, url: string) => {
    await page.goto(url);
    await translateOnce(page);
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('signup, offers and thank-you page succeed', async ({ page, database }) => {
    const readerEmail = newEmail('translated');
    await arrive(page, '/');
    await subscribeButton(page).click();
    const { dialog, email, submit } = signupDialog(page);
    await expect(email).toBeFocused();
    await translateOnce(page);
    // Rejected first: the error message appears beside translated texts, and is removed again.
    await submit.click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await translateOnce(page);
    await email.fill(readerEmail);
    await expect(dialog.getByRole('alert')).toBeHidden();
    const go = Promise.withResolvers<void>();
    await page.route('**/api/waitlist', async (route) => {
      await go.promise;
      await route.continue();
    });
    await submit.click();
    await expect(submit).toContainText('Signing up...');
    await translateOnce(page);
    go.resolve();
    await expect(dialog.getByText("You're all set!")).toBeVisible();
    await expect(dialog.getByText(readerEmail, { exact: true })).toBeVisible();
    await translateOnce(page);

    await expect(heading(page, "You're Subscribed!")).toBeVisible();
    await translateOnce(page);
    await expect(page.getByRole('main').getByRole('status')).toContainText('Your registration is complete.');

    await page.getByRole('link', { name: 'See my bonus offers' }).click();
    await page.waitForURL(/\/continue-registration\?/);
    await translateOnce(page);
    const badge = page.getByRole('button', { name: 'Sponsored' });
    await badge.focus();
    await badge.hover();
    await expect(page.getByRole('tooltip')).toBeVisible();
    await translateOnce(page);
    const proceed = page.getByRole('button', { name: 'Continue with selected offers' });
    await proceed.click();
    await expect(page.getByText('Please select at least one offer')).toBeVisible();
    await translateOnce(page);
    for (const offer of await page.getByRole('checkbox').all()) await offer.check();
    await expect(page.getByText('Please select at least one offer')).toBeHidden();
    await proceed.click();
    await expect(heading(page, "You're Subscribed!")).toBeVisible();
    await expect.poll(() => entriesOf(database, readerEmail)).toMatchObject([{ step: 2, completed: true }]);
  });

  test('a privacy form can be rejected, corrected and submitted', async ({ page }) => {
    await arrive(page, '/terms');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Rights Request' }).click();
    await expect(heading(page, headingOf('/privacy-rights-request'))).toBeFocused();
    await translateOnce(page);
    await page.goBack();
    await expect(heading(page, headingOf('/terms'))).toBeVisible();
    await translateOnce(page);
    await page.goForward();
    await expect(heading(page, headingOf('/privacy-rights-request'))).toBeVisible();
    await translateOnce(page);
    const { button, busyButton, message, confirmation, homeLink } = choiceForm(page);
    await button.click();
    await expect(message).toBeVisible();
    await translateOnce(page);
    await fillIn(page);
    await button.click();
    await expect(busyButton).toBeVisible();
    await translateOnce(page);
    await expect(confirmation).toBeFocused();
    await translateOnce(page);
    await homeLink.click();
    await expect(heading(page, 'The day in money')).toBeFocused();
  });
});

test.describe(() => {
  // React finds translated text when it hydrates. Nobody signed up with the address.
  test.use({ expectedMessages: [/React error #418/], expectedStatuses: [404] });

  test('names, addresses and codes are not translated', async ({ page }) => {
    await translateFromTheStart(page);
    const email = 'reader@example.com';
    for (const [path, text] of [
      [`/thank-you?email=${email}`, email],
      [`/ebook-download?email=${email}`, email],
      ['/redirect?url=https%3A%2F%2Fexample.com', 'example.com'],
    ] as const) {
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible();
    }
    await page.goto('/unsubscribe');
    await expect(page.locator('a[href^="mailto:"]').getByText(translated(''))).toHaveCount(0);
  });
});

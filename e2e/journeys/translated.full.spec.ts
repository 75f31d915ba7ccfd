import type { Page } from '@playwright/test';
import { choiceForm, fillIn, recordAlerts } from '../pages/privacy-choices.ts';
import { headingOf } from '../support/built-pages.ts';
import { entriesOf } from '../support/entries.ts';
import { signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newEmail, stubSponsors, test } from '../support/test.ts';

/**
 * Runs in the page. Replaces each text like a browser's translator, also those that are added or changed later: by a
 * translation in marks and two nested `font` elements. The text node of React is no longer in the document.
 */
function translateTexts(): void {
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
  new MutationObserver((mutations) => {
    for (const { type, target, addedNodes } of mutations)
      for (const node of type === 'characterData' ? [target] : addedNodes) if (node.isConnected) translateIn(node);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

test.describe('on a translated page', () => {
  test.beforeEach(async ({ page }) => {
    await stubSponsors(page);
    recordAlerts(page);
  });

  const arrive = async (page: Page, url: string) => {
    await page.goto(url);
    await page.evaluate(translateTexts);
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('signup, offers and thank-you page succeed', async ({ page, database }) => {
    const readerEmail = newEmail('translated');
    await arrive(page, '/');
    await subscribeButton(page).click();
    const { dialog, email, submit } = signupDialog(page);
    await expect(email).toBeFocused();
    // Rejected first: the error message appears beside translated texts, and is removed again.
    await submit.click();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await email.fill(readerEmail);
    await expect(dialog.getByRole('alert')).toBeHidden();
    await submit.click();
    await expect(heading(page, "You're Subscribed!")).toBeVisible();
    await expect(page.getByRole('main').getByRole('status')).toContainText('Your registration is complete.');

    await page.getByRole('link', { name: 'See my bonus offers' }).click();
    await page.waitForURL(/\/continue-registration\?/);
    const badge = page.getByRole('button', { name: 'Sponsored' });
    await badge.focus();
    await badge.hover();
    await expect(page.getByRole('tooltip')).toBeVisible();
    const proceed = page.getByRole('button', { name: 'Continue with selected offers' });
    await proceed.click();
    await expect(page.getByText('Please select at least one offer')).toBeVisible();
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
    await page.goBack();
    await expect(heading(page, headingOf('/terms'))).toBeVisible();
    await page.goForward();
    const { button, message, confirmation, homeLink } = choiceForm(page);
    await button.click();
    await expect(message).toBeVisible();
    await fillIn(page);
    await button.click();
    await expect(confirmation).toBeFocused();
    await homeLink.click();
    await expect(heading(page, 'The day in money')).toBeFocused();
  });
});

test.describe(() => {
  // React finds translated text when it hydrates. Nobody signed up with the address.
  test.use({ expectedMessages: [/React error #418/], expectedStatuses: [404] });

  test('names, addresses and codes are not translated', async ({ page }) => {
    await page.addInitScript(translateTexts);
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
    await expect(page.locator('a[href^="mailto:"]').getByText('«')).toHaveCount(0);
  });
});

import { expect, newEmail, stubSponsors, test } from '@daybook/testing/browser-test';
import { entriesOf } from '@daybook/testing/entries';
import { signupDialog, subscribeButton } from '@daybook/testing/signup-dialog';

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

test('signup, offers and thank-you page succeed on a translated page', async ({ page, database }) => {
  await stubSponsors(page);
  const readerEmail = newEmail('translated');
  await page.goto('/');
  await page.evaluate(translateTexts);
  await subscribeButton(page).click();
  const { dialog, email, submit } = signupDialog(page);
  await expect(email).toBeFocused();
  // Rejected first: the error message appears beside translated texts, and is removed again.
  await submit.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await email.fill(readerEmail);
  await expect(dialog.getByRole('alert')).toBeHidden();
  await submit.click();
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
  await expect(page.getByRole('main').getByRole('status')).toContainText('Your registration is complete.');

  await page.getByRole('link', { name: 'See my bonus offers' }).click();
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
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
  await expect.poll(() => entriesOf(database, readerEmail)).toMatchObject([{ step: 2, completed: true }]);
});

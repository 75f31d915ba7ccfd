import { newEmail } from '@daybook/testing/browser-test';
import { headingOf } from '@daybook/testing/built-pages';
import { holdTimers } from '@daybook/testing/hold-timers';
import { expect, test } from './test.ts';

// What engines change: focus, alerts, form controls, popup blockers, scroll positions. All else is tested in Chromium.

test('signup, offers and thank-you page', async ({ visitor }) => {
  const readerEmail = newEmail('engines');
  await visitor.visit('/');
  await visitor.click('button', 'Subscribe for free');
  await visitor.hasFocusOn('input', 'Email address');
  await visitor.press('Enter');
  await visitor.sees('Please enter a valid email address.');
  await visitor.type(readerEmail);
  await visitor.click('button', 'Subscribe to Daybook');
  await visitor.sees('Success!');

  await visitor.isAt('/thank-you');
  await visitor.hasFocusOn('h1', "You're Subscribed!");
  await visitor.sees(readerEmail);
  await visitor.click('link', 'See my bonus offers');
  await visitor.hasFocusOn('h1', 'Your bonus offers');
  // The notification covers the foot of a phone's screen.
  await visitor.seesNo('Success!');
  await visitor.click('checkbox', 'Free hearing test, and save $799');
  await visitor.click('button', 'Continue with selected offers (1)');
  await visitor.isAt('/thank-you');
  await expect.poll(() => visitor.countTabs()).toBe(2);
  await visitor.seesNo('See my bonus offers');
});

test('privacy rights request: rejected, submitted, confirmed, and not shown again', async ({ visitor }) => {
  await visitor.visit('/');
  // The groups of the footer are folded on a phone.
  await visitor.evaluate(() => {
    for (const group of document.querySelectorAll('footer details')) group.setAttribute('open', '');
  });
  await visitor.click('link', 'Privacy Rights Request');
  await visitor.hasFocusOn('h1', headingOf('/privacy-rights-request'));
  // The words of the form are its team's.
  const [email = '', name = '', submit = ''] = await visitor.evaluate(() =>
    ['[name=email]', '[name=name]', 'main [type=submit]'].map((selector) => {
      const element = document.querySelector<HTMLInputElement>(selector);
      return (element?.labels?.[0] ?? element)?.textContent?.trim() ?? '';
    }),
  );
  await visitor.click('textbox', email);
  await visitor.type('reader.example.com');
  await visitor.click('textbox', name);
  await visitor.type('Ada Reader');
  await visitor.click('button', submit);
  await expect.poll(async () => (await visitor.alerts()).length).toBe(1);
  await visitor.sees((await visitor.alerts())[0] ?? '');
  await visitor.hasFocusOn('input', email);

  await visitor.evaluate(() => (document.activeElement as HTMLInputElement).select());
  await visitor.type('reader@example.com');
  await visitor.evaluate(() => document.querySelector('select')?.focus());
  await visitor.type('Delete');
  expect(await visitor.evaluate(() => document.querySelector('select')?.value)).toBe('delete');
  await visitor.click('button', submit);
  const isConfirmed = () => visitor.evaluate(() => !!document.querySelector('main h2#confirmation'));
  await expect.poll(isConfirmed).toBe(true);
  await expect.poll(() => visitor.evaluate(() => document.activeElement?.id)).toBe('confirmation');
  const home = await visitor.evaluate(() => document.querySelector('main a[href="/"]')?.textContent ?? '');
  await visitor.click('link', home);
  await visitor.isAt('/');
  await visitor.goBack();
  await visitor.isAt('/privacy-rights-request');
  await expect.poll(isConfirmed).toBe(true);
  await visitor.seesNo(submit);
});

test('redirect: opened by the visitor', async ({ visitor }) => {
  await visitor.visit('/');
  // Stops the countdown of four seconds (docs/product.md, Constants).
  await holdTimers(visitor, 4000);
  await visitor.evaluate(() => {
    const link = document.createElement('a');
    link.href = `/redirect?url=${encodeURIComponent(`${location.origin}/terms`)}`;
    link.textContent = 'To the website';
    document.body.append(link);
  });
  await visitor.click('link', 'To the website');
  await visitor.hasFocusOn('h1', 'Taking you to another website');
  await visitor.click('link', 'click here');
  await visitor.isAt('/thank-you');
  await expect.poll(() => visitor.countTabs()).toBe(2);
  await visitor.seesNo('Your browser blocked');
});

test('redirect: the browser holds the tab back, and a link replaces it', async ({ visitor }) => {
  const destination = encodeURIComponent(`${process.env.SITE_URL}/terms`);
  await visitor.open(`${process.env.SITE_URL}/redirect?url=${destination}`);
  await visitor.isAt('/thank-you');
  await visitor.sees('Your browser blocked this website');
  expect(await visitor.countTabs()).toBe(1);
});

test('legal page: a link at its end, and Back to where it was', async ({ visitor }) => {
  await visitor.visit('/terms');
  await visitor.evaluate(() => {
    const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Privacy Policy');
    link?.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  await expect.poll(() => visitor.evaluate(() => scrollY)).toBeGreaterThan(100);
  const position = () => visitor.evaluate(() => Math.round(scrollY));
  const before = await position();
  await visitor.click('link', 'Privacy Policy');
  await visitor.isAt('/privacy-policy');
  await visitor.hasFocusOn('h1', headingOf('/privacy-policy'));
  expect(await position()).toBe(0);
  await visitor.goBack();
  await visitor.isAt('/terms');
  await visitor.hasFocusOn('a', 'Privacy Policy');
  await expect.poll(position).toBe(before);
});

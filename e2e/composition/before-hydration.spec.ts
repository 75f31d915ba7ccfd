import type { Page } from '@playwright/test';
import { entriesOf } from '../support/entries.ts';
import { layoutShift, recordShifts } from '../support/layout-shifts.ts';
import { signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newAddress, recordCalls, signUp, stubSponsors, test, untilReady } from '../support/test.ts';

/** Delays the shell's script, as a slow network does; returns a function that releases it. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const held: (() => void)[] = [];
  let free = false;
  await page.route('**/assets/*.js', async (route) => {
    if (!free) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  return async () => {
    free = true;
    for (const go of held) go();
  };
}

const arrive = (page: Page, address: string) => page.goto(address, { waitUntil: 'commit' });

/** Returns the height of the bar that shows that the page is loading. */
const loadingBar = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement, '::before').height);

test('a click on Subscribe before hydration opens the dialog after it, and shows the loading bar until then', async ({
  page,
}) => {
  const release = await holdScripts(page);
  await arrive(page, '/');
  // Preloaded while the scripts of the shell are loading.
  await expect(page.locator('head > link[rel="preload"][href^="/remotes/mf-signup/"]')).not.toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await loadingBar(page)).toBe('auto');
  const subscribe = subscribeButton(page);
  await subscribe.click();
  await subscribe.click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await loadingBar(page)).toBe('3px');
  await release();
  const { dialog, email } = signupDialog(page);
  await expect(dialog).toBeVisible();
  await expect(email).toBeFocused();
  expect(await loadingBar(page)).toBe('auto');
});

test('a form submitted before hydration is sent once, with its values, and not by the browser', async ({
  page,
  consoleLines,
}) => {
  const release = await holdScripts(page);
  await arrive(page, '/unsubscribe');
  await page.getByRole('textbox').fill('early@example.com');
  await page.getByRole('textbox').press('Enter');
  expect(await loadingBar(page)).toBe('3px');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page).toHaveURL('/unsubscribe');
  await release();
  await expect(page.getByRole('heading', { name: 'Unsubscribe Request Submitted' })).toBeVisible();
  await expect.poll(() => consoleLines.filter((line) => line.includes('early@example.com'))).toHaveLength(1);
  await expect(page).toHaveURL('/unsubscribe');
});

test('the form of the accessible view responds once and retains its values if submitted before hydration', {
  tag: '@full',
}, async ({ page }) => {
  const release = await holdScripts(page);
  await arrive(page, '/accessible-view');
  await page.getByRole('textbox').fill('early@example.com');
  await page.getByRole('button', { name: 'Subscribe Now' }).click();
  await expect(page.getByRole('status')).toBeEmpty();
  await release();
  await expect(page.getByRole('status')).toContainText('Nothing was sent');
  await expect(page.getByRole('textbox')).toHaveValue('early@example.com');
  await expect(page).toHaveURL('/accessible-view');
});

test('hydration retains typed, selected and checked values, and the page uses them', async ({ page, consoleLines }) => {
  const release = await holdScripts(page);
  await arrive(page, '/privacy-rights-request');
  await page.getByLabel('Email').fill('early@example.com');
  await page.getByLabel('Full name').fill('Ann Early');
  await page.getByRole('combobox').selectOption({ label: 'Delete My Data' });
  await page.getByLabel(/comments/i).fill('Please be quick.');
  await release();
  await expect.poll(() => consoleLines).toContain('/privacy-rights-request');
  await expect(page.getByRole('combobox')).toHaveValue('delete');
  await page.getByRole('button', { name: 'Submit Request' }).click();
  await expect(page.getByRole('heading', { name: 'Request Submitted Successfully' })).toBeVisible();
  const [line = ''] = consoleLines.filter((each) => each.includes('early@example.com'));
  expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
    email: 'early@example.com',
    name: 'Ann Early',
    requestType: 'delete',
    comments: 'Please be quick.',
  });
});

test('offers checked and submitted before hydration are saved, and the visitor moves on', async ({
  page,
  database,
}) => {
  await stubSponsors(page);
  const address = newAddress();
  const id = await signUp(page, address);
  const release = await holdScripts(page);
  await arrive(page, `/continue-registration?id=${id}`);
  await page.getByRole('checkbox', { name: /hearing test/ }).check();
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  // Does nothing, as after hydration.
  await page.getByRole('button', { name: 'No thanks' }).click();
  await expect(page.getByText('Loading your offers...')).toBeVisible();
  await release();
  await page.waitForURL(/\/thank-you\?/);
  await expect.poll(() => entriesOf(database, address)).toMatchObject([{ offers: ['audien'] }]);
});

test('the countdown to another website is not started if it is stopped before hydration', {
  tag: '@full',
}, async ({ page }) => {
  await page.clock.install();
  const release = await holdScripts(page);
  await arrive(page, `/redirect?url=${encodeURIComponent('https://sponsors.daybook.example/guide')}`);
  const stop = page.getByRole('button', { name: 'Stop' });
  await stop.click();
  await release();
  await expect(page.getByRole('button', { name: 'Start again' })).toBeFocused();
  await page.clock.runFor(60_000);
  await expect(page.getByText('Stopped. Nothing opens until you say so.')).toBeVisible();
});

for (const [query, isShown] of [
  ['?id=7', true],
  ['?email=a%2Bb%40example.com&id=7', true],
  ['', false],
  ['?id=abc', false],
] as const)
  test(`before hydration the loading message is in view above the offers, which are ${isShown ? 'shown' : 'not shown'} for “${query}”`, {
    tag: query === '' || query === '?id=7' ? [] : '@full',
  }, async ({ page }) => {
    const saved = recordCalls(page);
    await page.setViewportSize({ width: 390, height: 660 });
    const release = await holdScripts(page);
    await recordShifts(page);
    await arrive(page, `/continue-registration${query}`);
    const loading = page.getByText('Loading your offers...');
    const offers = page.getByRole('group', { name: 'Which offers would you like?' });
    await expect(loading).toBeInViewport({ ratio: 1 });
    await expect(offers).toBeVisible({ visible: isShown });
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(isShown ? 1 : 0);
    const top = await page.locator('fieldset').evaluate((sheet) => sheet.getBoundingClientRect().top);
    const line = await loading.boundingBox();
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(top);
    await release();
    await untilReady(page);
    await expect(loading).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      isShown ? 'Your bonus offers' : 'Registration Not Found',
    );
    expect(await layoutShift(page)).toEqual([]);
    expect(saved.filter((address) => address.includes('/api/'))).toEqual([]);
  });

test('a link works before the script has loaded', { tag: '@full' }, async ({ page }) => {
  const release = await holdScripts(page);
  await arrive(page, '/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  await expect(page).toHaveURL('/terms');
  await release();
});

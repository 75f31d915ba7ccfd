import type { Page } from '@playwright/test';
import { entriesOf } from '../support/entries.ts';
import { layoutShift, recordShifts } from '../support/layout-shifts.ts';
import { signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newAddress, signUp, stubSponsors, test, untilReady } from '../support/test.ts';

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

test('a click on Subscribe before hydration opens the dialog after it', async ({ page }) => {
  const release = await holdScripts(page);
  await arrive(page, '/');
  const subscribe = subscribeButton(page);
  await subscribe.click();
  await subscribe.click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await release();
  const { dialog, email } = signupDialog(page);
  await expect(dialog).toBeVisible();
  await expect(email).toBeFocused();
});

for (const [pressed, address, press] of [
  ['a button', '/', (page: Page) => subscribeButton(page).click()],
  ['Enter in a form', '/unsubscribe', (page: Page) => page.getByRole('textbox').press('Enter')],
] as const)
  test(`${pressed}, pressed before hydration, shows the loading bar until then`, async ({ page }) => {
    const bar = () => page.evaluate(() => getComputedStyle(document.documentElement, '::before').height);
    const release = await holdScripts(page);
    await arrive(page, address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await bar()).toBe('auto');
    await press(page);
    expect(await bar()).toBe('3px');
    await release();
    await untilReady(page);
    expect(await bar()).toBe('auto');
  });

test('the files of the remote are preloaded while the scripts of the shell are loading', async ({ page }) => {
  const release = await holdScripts(page);
  await arrive(page, '/');
  const preloads = page.locator('head > link[rel="preload"][href^="/remotes/mf-signup/"]');
  await expect(preloads).not.toHaveCount(0);
  await release();
  await untilReady(page);
});

test('a form submitted before hydration is sent once, with its values, and not by the browser', async ({
  page,
  consoleLines,
}) => {
  const release = await holdScripts(page);
  await arrive(page, '/unsubscribe');
  await page.getByRole('textbox').fill('early@example.com');
  await page.getByRole('textbox').press('Enter');
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

test('hydration retains a checked checkbox, and the page uses it', { tag: '@full' }, async ({ page, consoleLines }) => {
  const release = await holdScripts(page);
  await arrive(page, '/limit-sensitive-info');
  await page.getByLabel('Email').fill('early@example.com');
  await page.getByLabel('Health Information').check();
  await release();
  await expect.poll(() => consoleLines).toContain('/limit-sensitive-info');
  await expect(page.getByLabel('Health Information')).toBeChecked();
  await page.getByRole('button', { name: 'Submit Request' }).click();
  await expect(page.getByRole('heading', { name: 'Request Submitted Successfully' })).toBeVisible();
  expect(consoleLines.join('\n')).toContain('"categoriesToLimit":["health"]');
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

test('submitting no offer before hydration shows an error and stays on the page', { tag: '@full' }, async ({
  page,
}) => {
  const release = await holdScripts(page);
  await arrive(page, '/continue-registration?id=7');
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  await release();
  await expect(page.getByText('Please select at least one offer to continue')).toBeVisible();
  await expect(page).toHaveURL('/continue-registration?id=7');
});

for (const [query, isShown] of [
  ['?id=7', true],
  ['?email=a%2Bb%40example.com&id=7', true],
  ['', false],
  ['?uid=7', false],
  ['?id=', false],
  ['?id=abc', false],
  ['?id=1.5', false],
] as const)
  test(`before hydration the loading message is in view above the offers, which are ${isShown ? 'shown' : 'not shown'} for “${query}”`, {
    tag: query === '' || query === '?id=7' ? [] : '@full',
  }, async ({ page }) => {
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
  });

test('without a registration hydration replaces the hidden offers without layout shift', {
  tag: '@full',
}, async ({ page }) => {
  const saved: string[] = [];
  await page.route('**/api/**', (route) => {
    saved.push(route.request().url());
    return route.abort();
  });
  // The whole page is in the viewport: for scrolled visitors the footer legitimately moves up.
  await page.setViewportSize({ width: 390, height: 2000 });
  const release = await holdScripts(page);
  await recordShifts(page);
  await arrive(page, '/continue-registration?id=abc');
  await expect(page.getByText('Loading your offers...')).toBeVisible();
  await release();
  await expect(page.getByRole('heading', { name: 'Registration Not Found' })).toBeVisible();
  await untilReady(page);
  expect(await layoutShift(page)).toEqual([]);
  expect(saved).toEqual([]);
  await expect(page).toHaveURL('/continue-registration?id=abc');
});

test('a link works before the script has loaded', { tag: '@full' }, async ({ page }) => {
  const release = await holdScripts(page);
  await arrive(page, '/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  await expect(page).toHaveURL('/terms');
  await release();
});

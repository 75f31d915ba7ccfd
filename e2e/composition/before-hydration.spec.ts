import type { Page } from '@playwright/test';
import { choiceForm } from '../pages/privacy-choices.ts';
import { entriesOf } from '../support/entries.ts';
import { holdScripts } from '../support/hold-scripts.ts';
import { layoutShift, recordShifts } from '../support/layout-shifts.ts';
import { signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newEmail, recordCalls, signUp, stubSponsors, test, untilReady } from '../support/test.ts';

/** Opens a page whose scripts are held; returns a function that releases them. */
async function arrive(page: Page, url: string): Promise<() => void> {
  const release = await holdScripts(page);
  await page.goto(url, { waitUntil: 'commit' });
  return release;
}

/** Returns the height of the bar that shows that the page is loading. */
const loadingBar = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement, '::before').height);

test('a click on Subscribe before hydration opens the dialog after it, and shows the loading bar until then', async ({
  page,
}) => {
  const release = await arrive(page, '/');
  // Preloaded while the scripts of the shell are loading.
  await expect(page.locator('head > link[rel="preload"][href^="/remotes/mf-signup/"]')).not.toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await loadingBar(page)).toBe('auto');
  for (let presses = 0; presses < 2; presses += 1) await subscribeButton(page).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await loadingBar(page)).toBe('3px');
  release();
  await expect(signupDialog(page).email).toBeFocused();
  expect(await loadingBar(page)).toBe('auto');
});

test('a form submitted before hydration is sent once, with typed, selected and checked values, and not by the browser', async ({
  page,
  consoleLines,
}) => {
  const release = await arrive(page, '/privacy-rights-request');
  const { email, name, button, confirmation } = choiceForm(page);
  await email.fill('early@example.com');
  await page.getByRole('combobox').selectOption('delete');
  await page.locator('[name=comments]').fill('Please be quick.');
  await name.fill('Ann Early');
  await name.press('Enter');
  expect(await loadingBar(page)).toBe('3px');
  await button.click();
  await expect(page).toHaveURL('/privacy-rights-request');
  // Of a form with several buttons, the page has to know which one was pressed.
  await page.evaluate(() =>
    addEventListener('submit', ({ submitter }) => {
      document.documentElement.dataset.submitter = submitter?.getAttribute('type') ?? 'none';
    }),
  );
  release();
  await expect(confirmation).toBeVisible();
  const [line = '', ...others] = consoleLines.filter((each) => each.includes('early@example.com'));
  expect(others).toEqual([]);
  expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
    email: 'early@example.com',
    name: 'Ann Early',
    requestType: 'delete',
    comments: 'Please be quick.',
  });
  await expect(page.locator('html')).toHaveAttribute('data-submitter', 'submit');
  await expect(page).toHaveURL('/privacy-rights-request');
});

test('offers checked and submitted before hydration are saved, and the visitor moves on', async ({
  page,
  database,
}) => {
  await stubSponsors(page);
  const readerEmail = newEmail();
  const release = await arrive(page, `/continue-registration?id=${await signUp(page, readerEmail)}`);
  await page.getByRole('checkbox', { name: /hearing test/ }).check();
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  // Does nothing, as after hydration.
  await page.getByRole('button', { name: 'No thanks' }).click();
  release();
  await page.waitForURL(/\/thank-you\?/);
  await expect.poll(() => entriesOf(database, readerEmail)).toMatchObject([{ offers: ['audien'] }]);
});

for (const [query, heading] of [
  ['?id=7', 'Your bonus offers'],
  ['?email=a%2Bb%40example.com&id=7', 'Your bonus offers'],
  ['', 'Registration Not Found'],
  ['?id=abc', 'Registration Not Found'],
] as const)
  test(`before hydration the loading message is in view, above the offers if “${query}” leads to “${heading}”`, {
    tag: '@full',
  }, async ({ page }) => {
    const calls = recordCalls(page);
    await page.setViewportSize({ width: 390, height: 660 });
    await recordShifts(page);
    const release = await arrive(page, `/continue-registration${query}`);
    const loading = page.getByText('Loading your offers...');
    const visible = heading === 'Your bonus offers';
    await expect(loading).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('group', { name: 'Which offers would you like?' })).toBeVisible({ visible });
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(visible ? 1 : 0);
    const top = await page.locator('fieldset').evaluate((sheet) => sheet.getBoundingClientRect().top);
    const line = await loading.boundingBox();
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(top);
    release();
    await untilReady(page);
    await expect(loading).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    expect(await layoutShift(page)).toEqual([]);
    expect(calls.filter((url) => url.includes('/api/'))).toEqual([]);
  });

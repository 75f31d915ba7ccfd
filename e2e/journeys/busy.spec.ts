import { saveData } from '@daybook/testing/page-checks';
import type { Locator, Page } from '@playwright/test';
import { choiceForm, fillIn, processingDelay } from '../pages/privacy-choices.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, stubSponsors, test } from '../support/test.ts';

/** Never lets requests to these addresses reach the server. */
const hold = (page: Page, addresses: string) => page.route(addresses, () => undefined);

const spinnerIn = (button: Locator) => button.locator('[aria-hidden="true"]').last();

interface BusyState {
  readonly name: string;
  readonly path: string;
  /** Presses what starts the state, which the test never lets end; returns what shows it. */
  readonly press: (page: Page) => Promise<Locator>;
}

const busyStates: readonly BusyState[] = [
  {
    name: 'a link to a page that is not loaded',
    path: '/',
    press: async (page) => {
      await hold(page, '**/remotes/mf-legal/**');
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
      return page.getByText('Loading the page').locator('..');
    },
  },
  {
    name: 'Subscribe, before its form is loaded',
    path: '/',
    press: async (page) => {
      await hold(page, '**/remotes/mf-signup/**');
      await subscribeButton(page).click();
      return spinnerIn(subscribeButton(page));
    },
  },
  {
    name: 'the signup form',
    path: '/',
    press: async (page) => {
      const { email, submit } = await openSignupDialog(page);
      await hold(page, '**/api/waitlist');
      await email.fill('reader@example.com');
      await submit.click();
      await expect(submit).toHaveText('Signing up...');
      return spinnerIn(submit);
    },
  },
  {
    name: 'a privacy form',
    path: '/unsubscribe',
    press: async (page) => {
      const { button } = choiceForm(page);
      await fillIn(page);
      await holdTimers(page, processingDelay);
      await button.click();
      await expect(button).toHaveText('Processing...');
      return spinnerIn(button);
    },
  },
  ...['Continue with selected offers', 'No thanks'].map((name) => ({
    name: `“${name}”`,
    path: '/continue-registration?id=7',
    press: async (page: Page) => {
      await stubSponsors(page);
      await hold(page, '**/api/waitlist/*/offers');
      // After 2 s the visitor moves on without a response.
      await holdTimers(page, 2000);
      await page.getByRole('checkbox').first().check();
      await page.getByRole('button', { name }).click();
      return spinnerIn(page.locator('button[aria-disabled="true"]'));
    },
  })),
];

for (const { name, path, press } of busyStates) {
  test(`${name}: a press shows something before the response, which moves only if motion is not reduced`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // Nothing is prefetched before the press.
    await page.addInitScript(saveData);
    await page.goto(path);
    const sign = await press(page);
    await expect(sign).toBeVisible();
    const animations = () => page.evaluate(() => document.getAnimations().length);
    expect(await animations()).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect(sign).toBeVisible();
    expect(await animations()).toBeGreaterThan(0);
  });
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`a busy button looks disabled in ${colorScheme} colors`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { email, submit } = await openSignupDialog(page);
    await hold(page, '**/api/waitlist');
    await email.fill('reader@example.com');
    const colors = () =>
      submit.evaluate((button) => [getComputedStyle(button).backgroundColor, getComputedStyle(button).color]);
    const [background, label] = await colors();
    await submit.click();
    await expect(submit).toHaveText('Signing up...');
    await expect(submit).not.toHaveCSS('background-color', background ?? '');
    await expect(submit).not.toHaveCSS('color', label ?? '');
    await submit.hover();
    const busy = await colors();
    await page.mouse.move(0, 0);
    expect(await colors()).toEqual(busy);
  });

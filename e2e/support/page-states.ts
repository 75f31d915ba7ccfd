import { saveData } from '@daybook/testing/page-checks';
import { expect, type Page } from '@playwright/test';
import {
  breakProcessing,
  choiceForm,
  fillIn,
  privacyChoices,
  processingDelay,
  processingFailure,
  recordAlerts,
} from '../pages/privacy-choices.ts';
import { holdTimers } from './hold-timers.ts';
import { subscribeButton } from './signup-dialog.ts';

/** A page in a state to be checked by axe and captured by `npm test -- screenshots`. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Brings the page from its initial state into this one. */
  readonly arrive?: (page: Page) => Promise<void>;
}

/** Opens the dialog; waits for the focus, since a press loads the form. */
async function openDialog(page: Page): Promise<void> {
  await subscribeButton(page).click();
  await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
}

const journeyStates: readonly PageState[] = [
  { name: 'the home page', path: '/' },
  { name: 'the signup dialog', path: '/', arrive: openDialog },
  {
    name: 'the signup dialog with an error',
    path: '/',
    arrive: async (page) => {
      await openDialog(page);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'the completed signup with its notification',
    path: '/',
    arrive: async (page) => {
      // Durations of the completed state and of the notification (docs/product.md, Constants).
      await holdTimers(page, 1500, 5000);
      await openDialog(page);
      await page.getByRole('dialog').getByRole('textbox').fill('reader@example.com');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Success!', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'the signup in progress',
    path: '/',
    arrive: async (page) => {
      await page.route('**/api/waitlist', () => undefined);
      await openDialog(page);
      await page.getByRole('dialog').getByRole('textbox').fill('reader@example.com');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible();
    },
  },
  {
    name: 'the signup form while it is loading',
    path: '/',
    arrive: async (page) => {
      await page.addInitScript(saveData);
      await page.reload();
      await page.route('**/remotes/mf-signup/**', () => undefined);
      await subscribeButton(page).click();
      await expect(subscribeButton(page)).toBeDisabled();
    },
  },
  {
    name: 'the offers without any, in progress',
    path: '/continue-registration?id=7',
    arrive: async (page) => {
      await page.route('**/api/waitlist/*/offers', () => undefined);
      // After 2 s the visitor moves on without a response.
      await holdTimers(page, 2000);
      await page.getByRole('button', { name: 'No thanks' }).click();
      await expect(page.getByRole('button', { name: 'One moment...' })).toBeVisible();
    },
  },
  { name: 'the offers', path: '/continue-registration?id=7' },
  {
    name: 'the offers without a choice',
    path: '/continue-registration?id=7',
    arrive: (page) => page.getByRole('button', { name: 'Continue with selected offers' }).click(),
  },
  { name: 'an unknown registration', path: '/continue-registration' },
  { name: 'the thank-you page', path: '/thank-you?id=7&email=reader%40example.com' },
  { name: 'the thank-you page with nothing known', path: '/thank-you' },
  { name: 'the senior guide', path: '/ebook-download?email=reader%40example.com' },
  { name: 'the senior guide without a recipient', path: '/ebook-download' },
  {
    name: 'the redirect',
    path: '/redirect?url=https%3A%2F%2Fexample.com',
    arrive: async (page) => {
      // Stops the countdown of four seconds (docs/product.md, Constants).
      await page.getByRole('button', { name: 'Stop' }).click();
      await holdTimers(page, 4000);
      await page.getByRole('button', { name: 'Start again' }).click();
    },
  },
  {
    name: 'the redirect, stopped',
    path: '/redirect?url=https%3A%2F%2Fexample.com',
    arrive: (page) => page.getByRole('button', { name: 'Stop' }).click(),
  },
  { name: 'the emergency pendant offer', path: '/offer-landing/emergency-pendant' },
  { name: 'the dental savings offer', path: '/offer-landing/dental-savings' },
  { name: 'the hearing aids offer', path: '/offer-landing/hearing-aids' },
  {
    name: 'the hearing aids offer after its demo',
    path: '/offer-landing/hearing-aids',
    arrive: async (page) => {
      recordAlerts(page);
      await page.getByRole('button', { name: 'Start my free trial' }).click();
      await expect(page.getByRole('main').getByRole('status')).toHaveText(/demo/);
    },
  },
  { name: 'the terms', path: '/terms' },
  { name: 'the privacy policy', path: '/privacy-policy' },
  { name: 'the California privacy notice', path: '/california-privacy-notice' },
  { name: 'the electronic communications consent', path: '/e-consent' },
  { name: 'the cookie policy', path: '/cookie-policy' },
  { name: 'the accessible view', path: '/accessible-view' },
  { name: 'the not-found page', path: '/no-such-page' },
];

/** Submits a privacy choice's form; returns the locator of its error. */
async function submit(page: Page) {
  const { button, message } = choiceForm(page);
  recordAlerts(page);
  await button.click();
  return message;
}

const processing = (path: string): PageState => ({
  name: `the form in processing of ${path}`,
  path,
  arrive: async (page) => {
    await fillIn(page);
    await holdTimers(page, processingDelay);
    await submit(page);
    await expect(choiceForm(page).button).toHaveText('Processing...');
  },
});

const failed = (path: string): PageState => ({
  name: `the failed form of ${path}`,
  path,
  arrive: async (page) => {
    await fillIn(page);
    await breakProcessing(page);
    await expect(await submit(page)).toHaveText(/There was an error/);
  },
});

/** States of each privacy choice; those that only change the button and the notice, which are the same on all, of one. */
const privacyStates: readonly PageState[] = privacyChoices.flatMap(({ path, confirmation }, index) => [
  { name: `the form of ${path}`, path },
  {
    name: `the rejected form of ${path}`,
    path,
    arrive: async (page: Page) => {
      await expect(await submit(page)).toBeVisible();
    },
  },
  ...(index === 0 ? [processing(path), failed(path)] : []),
  {
    name: `the confirmation of ${path}`,
    path,
    arrive: async (page: Page) => {
      await fillIn(page);
      await submit(page);
      await expect(page.getByRole('heading', { name: confirmation })).toBeVisible();
    },
  },
]);

/** Rejections of fields that only one privacy choice has, with a valid address. */
const furtherRejections: readonly PageState[] = [
  { name: 'the form of /privacy-rights-request without a name', path: '/privacy-rights-request' },
  { name: 'the form of /limit-sensitive-info without a category', path: '/limit-sensitive-info' },
].map((state) => ({
  ...state,
  arrive: async (page) => {
    await choiceForm(page).email.fill('reader@example.com');
    await expect(await submit(page)).toBeVisible();
  },
}));

/** Every page in each of its states. */
export const pageStates: readonly PageState[] = [...journeyStates, ...privacyStates, ...furtherRejections];

/** A page of each remote and of each frame, which `npm test` checks; all others are tagged `@full`. */
const corePaths = ['/', '/continue-registration?id=7', '/terms', '/unsubscribe', '/accessible-view', '/no-such-page'];

/** Returns the tags of a state's tests. */
export const tagsOf = ({ path, arrive }: PageState): string[] => (corePaths.includes(path) && !arrive ? [] : ['@full']);

/** Expected console messages of the states. */
export const causedByPageStates = {
  // The not-found page, and a thank-you page for an entry that does not exist.
  expectedStatuses: [404],
  // One pattern: Playwright treats a list whose second element is an object as a value with options.
  expectedMessages: [new RegExp(`notice failed|${processingFailure.source}`, 'm')],
};

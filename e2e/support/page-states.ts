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

/** A page in a state that can be looked at: by axe, and by us in `npm run screenshots`. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Brings the page from its first state into this one. */
  readonly arrive?: (page: Page) => Promise<void>;
}

/** The form comes with the press; typing may start when its field has the focus. */
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
      // How long the completed state and the notification stay (docs/product.md, Constants).
      await holdTimers(page, 1500, 5000);
      await openDialog(page);
      await page.getByRole('dialog').getByRole('textbox').fill('reader@example.com');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Success!', { exact: true })).toBeVisible();
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
  { name: 'the senior guide for nobody', path: '/ebook-download' },
  {
    name: 'the redirect',
    path: '/redirect?url=https%3A%2F%2Fexample.com',
    arrive: async (page) => {
      // Its four seconds (docs/product.md, Constants) never end.
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

/** Presses the button of a privacy choice's form; gives what it may be refused with. */
async function submit(page: Page) {
  const { button, message } = choiceForm(page);
  recordAlerts(page);
  await button.click();
  return message;
}

/** The states of each privacy choice. */
const privacyStates: readonly PageState[] = privacyChoices.flatMap(({ path, confirmation }) => [
  { name: `the form of ${path}`, path },
  {
    name: `the refused form of ${path}`,
    path,
    arrive: async (page: Page) => {
      await expect(await submit(page)).toBeVisible();
    },
  },
  {
    name: `the form in processing of ${path}`,
    path,
    arrive: async (page: Page) => {
      await fillIn(page);
      await holdTimers(page, processingDelay);
      await submit(page);
      await expect(choiceForm(page).button).toHaveText('Processing...');
    },
  },
  {
    name: `the failed form of ${path}`,
    path,
    arrive: async (page: Page) => {
      await fillIn(page);
      await breakProcessing(page);
      await expect(await submit(page)).toHaveText(/There was an error/);
    },
  },
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

/** Refusals of what only one privacy choice asks for, with an address that is taken. */
const furtherRefusals: readonly PageState[] = [
  { name: 'the form of /privacy-rights-request without a name', path: '/privacy-rights-request' },
  { name: 'the form of /limit-sensitive-info without a category', path: '/limit-sensitive-info' },
].map((state) => ({
  ...state,
  arrive: async (page) => {
    await choiceForm(page).email.fill('reader@example.com');
    await expect(await submit(page)).toBeVisible();
  },
}));

/** Every page, in every state that it has. */
export const pageStates: readonly PageState[] = [...journeyStates, ...privacyStates, ...furtherRefusals];

/** A page of each remote and of each frame, which npm test looks at; all others have the tag. */
const corePaths = ['/', '/continue-registration?id=7', '/terms', '/unsubscribe', '/accessible-view', '/no-such-page'];

/** Tags of the tests of a state. */
export const tagsOf = ({ path, arrive }: PageState): string[] => (corePaths.includes(path) && !arrive ? [] : ['@full']);

/** What the states cause in the browser's console on purpose. */
export const causedByPageStates = {
  // The not-found page, and a thank-you page for an entry that nobody made.
  expectedStatuses: [404],
  // One pattern: Playwright takes a list whose second element is an object for a value with options.
  expectedMessages: [new RegExp(`notice failed|${processingFailure.source}`, 'm')],
};

import { expect, type Page } from '@playwright/test';
import { choiceForm, fillIn, privacyChoices, recordAlerts } from '../pages/privacy-choices.ts';

/** A page in a state that can be looked at: by axe, and by us in `npm run screenshots`. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Brings the page from its first state into this one. */
  readonly arrive?: (page: Page) => Promise<void>;
}

const openDialog = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /subscribe/i })
    .first()
    .click();

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
      await page.clock.install();
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
  { name: 'the redirect', path: '/redirect?url=https%3A%2F%2Fexample.com' },
  { name: 'the emergency pendant offer', path: '/offer-landing/emergency-pendant' },
  { name: 'the dental savings offer', path: '/offer-landing/dental-savings' },
  { name: 'the hearing aids offer', path: '/offer-landing/hearing-aids' },
  { name: 'the terms', path: '/terms' },
  { name: 'the privacy policy', path: '/privacy-policy' },
  { name: 'the California privacy notice', path: '/california-privacy-notice' },
  { name: 'the electronic communications consent', path: '/e-consent' },
  { name: 'the cookie policy', path: '/cookie-policy' },
  { name: 'the accessible view', path: '/accessible-view' },
  { name: 'the not-found page', path: '/no-such-page' },
];

/** The three states of each privacy choice. */
const privacyStates: readonly PageState[] = privacyChoices.flatMap(({ path, confirmation }) => [
  { name: `the form of ${path}`, path },
  {
    name: `the refused form of ${path}`,
    path,
    arrive: async (page: Page) => {
      recordAlerts(page);
      await choiceForm(page).button.click();
      await expect(choiceForm(page).message).toBeVisible();
    },
  },
  {
    name: `the confirmation of ${path}`,
    path,
    arrive: async (page: Page) => {
      await fillIn(page);
      await choiceForm(page).button.click();
      await expect(page.getByRole('heading', { name: confirmation })).toBeVisible();
    },
  },
]);

/** Every page, in every state that it has. */
export const pageStates: readonly PageState[] = [...journeyStates, ...privacyStates];

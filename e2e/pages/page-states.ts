import { builtRelease } from '@daybook/testing/builds';
import { htmlOf } from '@daybook/testing/built-pages';
import { holdTimers } from '@daybook/testing/hold-timers';
import { signupDialog, subscribeButton } from '@daybook/testing/signup-dialog';
import { expect, type Page } from '@playwright/test';
import { choiceForm, fillIn, processingDelay, recordAlerts } from './privacy-choices.ts';

type Step = (page: Page) => Promise<unknown>;

/** A page in a state to be checked by axe and captured by `npm test -- screenshots`. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  readonly arrive?: Step | undefined;
}

const inTurn =
  (...steps: readonly Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page);
  };
const press =
  (name: string): Step =>
  (page) =>
    page.getByRole('button', { name }).click();
const openDialog: Step = async (page) => {
  await subscribeButton(page).click();
  await expect(signupDialog(page).email).toBeFocused();
};

const signUp = (email = '') =>
  inTurn(
    openDialog,
    (page) => signupDialog(page).email.fill(email),
    (page) => page.keyboard.press('Enter'),
  );

const offers = '/continue-registration?id=7';
const redirect = '/redirect?url=https%3A%2F%2Fexample.com';

// Requests that are routed to nothing get no response.
type Row = readonly [name: string, path: string, ...steps: readonly Step[]];

// Delays are those of docs/product.md, Constants.
const journeyStates: readonly Row[] = [
  ['the home page', '/'],
  ['the signup dialog', '/', openDialog],
  [
    'the signup dialog with an error',
    '/',
    signUp(),
    (page) => expect(page.getByRole('dialog').getByRole('alert')).toBeVisible(),
  ],
  [
    'the completed signup with its notification',
    '/',
    (page) => holdTimers(page, 1500, 5000),
    signUp('reader@example.com'),
    (page) => expect(page.getByText('Success!', { exact: true })).toBeVisible(),
  ],
  [
    'the signup in progress',
    '/',
    (page) => page.route('**/api/waitlist', () => undefined),
    signUp('reader@example.com'),
    (page) => expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible(),
  ],
  ['the offers', offers],
  ['the offers without a choice', offers, press('Continue with selected offers')],
  ['an unknown registration', '/continue-registration'],
  ['the thank-you page', '/thank-you?id=7&email=reader%40example.com'],
  ['the thank-you page with nothing known', '/thank-you'],
  ['the senior guide', '/ebook-download?email=reader%40example.com'],
  ['the senior guide without a recipient', '/ebook-download'],
  ['the redirect', redirect, press('Stop'), (page) => holdTimers(page, 4000), press('Start again')],
  ['the redirect, stopped', redirect, press('Stop')],
  ['the emergency pendant offer', '/offer-landing/emergency-pendant'],
  ['the dental savings offer', '/offer-landing/dental-savings'],
  ['the hearing aids offer', '/offer-landing/hearing-aids'],
  [
    'the hearing aids offer after its demo',
    '/offer-landing/hearing-aids',
    async (page) => recordAlerts(page),
    press('Start my free trial'),
    (page) => expect(page.getByRole('main').getByRole('status')).toHaveText(/demo/),
  ],
  ...builtRelease('mf-legal').routes.map(({ path, title }) => [title, path] as const),
  ['the not-found page', '/no-such-page'],
];

const submit: Step = (page) => choiceForm(page).button.click();

const reject = inTurn(
  async (page) => recordAlerts(page),
  submit,
  (page) => expect(choiceForm(page).message).toBeVisible(),
);
const fillInEmail: Step = (page) => choiceForm(page).email.fill('reader@example.com');

/** The pages of mf-privacy with a form: its team may add others. */
const choicePages = builtRelease('mf-privacy')
  .routes.map(({ path }) => path)
  .filter((path) => htmlOf(path).includes('<form'));

const formStates: readonly Row[] = [
  ...choicePages.flatMap((path): readonly Row[] => [
    [`the form of ${path}`, path],
    [`the rejected form of ${path}`, path, reject],
    [
      `the confirmation of ${path}`,
      path,
      fillIn,
      submit,
      (page) => expect(choiceForm(page).confirmation).toBeFocused(),
    ],
  ]),
  // One form is enough: they only change the button and the notice, which are the same on all.
  [
    'a privacy form in processing',
    '/unsubscribe',
    fillIn,
    (page) => holdTimers(page, processingDelay),
    submit,
    (page) => expect(choiceForm(page).busyButton).toBeVisible(),
  ],
  // Fields that only one choice has.
  ['the privacy rights request without a name', '/privacy-rights-request', fillInEmail, reject],
  ['the limit of sensitive information without a category', '/limit-sensitive-info', fillInEmail, reject],
];

/** Every page in each of its states. */
export const pageStates: readonly PageState[] = [...journeyStates, ...formStates].map(([name, path, ...steps]) => ({
  name,
  path,
  arrive: steps.length > 0 ? inTurn(...steps) : undefined,
}));

/** Expected console messages of the states. */
export const causedByPageStates = {
  // The not-found page, and a thank-you page for an entry that does not exist.
  expectedStatuses: [404],
  expectedMessages: [/notice failed/],
};

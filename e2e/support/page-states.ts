import { saveData } from '@daybook/runner/page-checks';
import { builtRelease } from '@daybook/runner/releases';
import { expect, type Page } from '@playwright/test';
import { choiceForm, fillIn, processingDelay, recordAlerts } from '../pages/privacy-choices.ts';
import { htmlOf } from './built-pages.ts';
import { serveComponents } from './components-page.ts';
import { holdTimers } from './hold-timers.ts';
import { signupDialog, subscribeButton } from './signup-dialog.ts';

/** A page in a state to be checked by axe and captured by `npm test -- screenshots`. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Called before the page is opened. */
  readonly prepare?: ((page: Page) => Promise<unknown>) | undefined;
  /** Brings the page from its initial state into this one. */
  readonly arrive?: ((page: Page) => Promise<unknown>) | undefined;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();

/** Opens the dialog; waits for the focus, since a press loads the form. */
async function openDialog(page: Page): Promise<void> {
  await subscribeButton(page).click();
  await expect(signupDialog(page).email).toBeFocused();
}

/** Opens the dialog, and submits an email, or none. */
async function signUp(page: Page, email = ''): Promise<void> {
  await openDialog(page);
  await signupDialog(page).email.fill(email);
  await page.keyboard.press('Enter');
}

type Row = readonly [name: string, path: string, arrive?: PageState['arrive']];

const journeyStates: readonly Row[] = [
  ['the home page', '/'],
  ['the signup dialog', '/', openDialog],
  [
    'the signup dialog with an error',
    '/',
    async (page) => {
      await signUp(page);
      await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    },
  ],
  [
    'the completed signup with its notification',
    '/',
    async (page) => {
      // Durations of the completed state and of the notification (docs/product.md, Constants).
      await holdTimers(page, 1500, 5000);
      await signUp(page, 'reader@example.com');
      await expect(page.getByText('Success!', { exact: true })).toBeVisible();
    },
  ],
  [
    'the signup in progress',
    '/',
    async (page) => {
      await page.route('**/api/waitlist', () => undefined);
      await signUp(page, 'reader@example.com');
      await expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible();
    },
  ],
  [
    'the signup form while it is loading',
    '/',
    async (page) => {
      await page.addInitScript(saveData);
      await page.reload();
      await page.route('**/remotes/mf-signup/**', () => undefined);
      await subscribeButton(page).click();
      await expect(subscribeButton(page)).toBeDisabled();
    },
  ],
  [
    'the offers without any, in progress',
    '/continue-registration?id=7',
    async (page) => {
      await page.route('**/api/waitlist/*/offers', () => undefined);
      // After 2 s the visitor moves on without a response.
      await holdTimers(page, 2000);
      await press('No thanks')(page);
      await expect(page.getByRole('button', { name: 'One moment...' })).toBeVisible();
    },
  ],
  ['the offers', '/continue-registration?id=7'],
  ['the offers without a choice', '/continue-registration?id=7', press('Continue with selected offers')],
  ['an unknown registration', '/continue-registration'],
  ['the thank-you page', '/thank-you?id=7&email=reader%40example.com'],
  ['the thank-you page with nothing known', '/thank-you'],
  ['the senior guide', '/ebook-download?email=reader%40example.com'],
  ['the senior guide without a recipient', '/ebook-download'],
  [
    'the redirect',
    '/redirect?url=https%3A%2F%2Fexample.com',
    async (page) => {
      // Stops the countdown of four seconds (docs/product.md, Constants).
      await press('Stop')(page);
      await holdTimers(page, 4000);
      await press('Start again')(page);
    },
  ],
  ['the redirect, stopped', '/redirect?url=https%3A%2F%2Fexample.com', press('Stop')],
  ['the emergency pendant offer', '/offer-landing/emergency-pendant'],
  ['the dental savings offer', '/offer-landing/dental-savings'],
  ['the hearing aids offer', '/offer-landing/hearing-aids'],
  [
    'the hearing aids offer after its demo',
    '/offer-landing/hearing-aids',
    async (page) => {
      recordAlerts(page);
      await press('Start my free trial')(page);
      await expect(page.getByRole('main').getByRole('status')).toHaveText(/demo/);
    },
  ],
  ...builtRelease('mf-legal').routes.map(({ path, title }) => [title, path] as const),
  ['the not-found page', '/no-such-page'],
];

/** Submits a privacy choice's form; waits for its error. */
async function reject(page: Page): Promise<void> {
  const { button, message } = choiceForm(page);
  recordAlerts(page);
  await button.click();
  await expect(message).toBeVisible();
}

const rejectWithEmail = async (page: Page) => {
  await choiceForm(page).email.fill('reader@example.com');
  await reject(page);
};

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
      async (page) => {
        await fillIn(page);
        await choiceForm(page).button.click();
        await expect(choiceForm(page).confirmation).toBeFocused();
      },
    ],
  ]),
  // Of one form: they only change the button and the notice, which are the same on all.
  [
    'a privacy form in processing',
    '/unsubscribe',
    async (page) => {
      await fillIn(page);
      await holdTimers(page, processingDelay);
      await choiceForm(page).button.click();
      await expect(choiceForm(page).busyButton).toBeVisible();
    },
  ],
  [
    'a privacy form that failed',
    '/unsubscribe',
    async (page) => {
      await fillIn(page);
      // The values cannot be logged.
      await page.evaluate(() => {
        const { stringify } = JSON;
        JSON.stringify = (value: unknown, ...options: never[]) => {
          if (!(value instanceof Object && 'email' in value)) return stringify(value, ...options);
          JSON.stringify = stringify;
          throw new Error('out of order');
        };
      });
      await reject(page);
    },
  ],
  // Fields that only one choice has.
  ['the privacy rights request without a name', '/privacy-rights-request', rejectWithEmail],
  ['the limit of sensitive information without a category', '/limit-sensitive-info', rejectWithEmail],
];

/** Returns the heading of a state's page. A page has one; the components include headings of pages. */
export const pageHeading = (page: Page, { prepare }: Pick<PageState, 'prepare'>) => {
  const heading = page.getByRole('heading', { level: 1 });
  return prepare ? heading.first() : heading;
};

const components = { path: '/_components', prepare: serveComponents };

/** Every page in each of its states, and all components of the design system in theirs. */
export const pageStates: readonly PageState[] = [
  ...[...journeyStates, ...formStates].map(([name, path, arrive]) => ({ name, path, arrive })),
  { name: 'the components', ...components },
  { name: 'the components with the dialog', ...components, arrive: press('Open the dialog') },
];

/** A page of each remote and of each frame, which `npm test` checks; all others are tagged `@full`. */
const corePaths = ['/', '/continue-registration?id=7', '/terms', '/unsubscribe', '/accessible-view', '/no-such-page'];

/** Returns the tags of a state's tests. */
export const tagsOf = ({ path, arrive }: PageState): string[] => (corePaths.includes(path) && !arrive ? [] : ['@full']);

/** Expected console messages of the states. */
export const causedByPageStates = {
  // The not-found page, and a thank-you page for an entry that does not exist.
  expectedStatuses: [404],
  // One pattern: Playwright treats a list whose second element is an object as a value with options.
  expectedMessages: [/notice failed| failed: Error: out of order/],
};

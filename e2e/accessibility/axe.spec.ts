import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { choiceForm, fillIn, privacyChoices, recordAlerts } from '../pages/privacy-choices.ts';
import { expect, test } from '../support/test.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function expectNothingFound(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

interface State {
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

const journeyStates: readonly State[] = [
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
  { name: 'the thank-you page', path: '/thank-you' },
  { name: 'the senior guide', path: '/ebook-download?email=reader%40example.com' },
  { name: 'the redirect', path: '/redirect?url=https%3A%2F%2Fexample.com' },
  { name: 'the emergency pendant offer', path: '/offer-landing/emergency-pendant' },
  { name: 'the dental savings offer', path: '/offer-landing/dental-savings' },
  { name: 'the hearing aids offer', path: '/offer-landing/hearing-aids' },
  { name: 'the terms', path: '/terms' },
  { name: 'the accessible view', path: '/accessible-view' },
];

/** The three states of each privacy choice. */
const privacyStates: readonly State[] = privacyChoices.flatMap(({ path, confirmation }) => [
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

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });
    for (const { name, path, arrive } of [...journeyStates, ...privacyStates]) {
      test(`axe finds nothing on ${name}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await arrive?.(page);
        await expectNothingFound(page);
      });
    }
  });
}

test.describe('an unknown path', () => {
  test.use({ expectedStatuses: [404] });
  test('axe finds nothing on the not-found page', async ({ page }) => {
    await page.goto('/nowhere');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNothingFound(page);
  });
});

import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accessibilityFindings, sidewaysScroll, sticksOut } from '@daybook/testing/page-checks';
import { startSite, untilMirrored } from '@daybook/testing/site';
import { test as base, expect, newAddress, recordCalls } from '../support/test.ts';
import { choiceForm, fillIn, recordAlerts } from './privacy-choices.ts';

/** Address of a second site that records privacy requests; the common one only simulates it. */
const test = base.extend<object, { recording: string }>({
  recording: [
    async ({}, use) => {
      const started = new AsyncDisposableStack();
      const folder = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-e2e-privacy-')));
      const variables = { PRIVACY_REQUESTS: 'record' };
      const site = await startSite({
        databaseUrl: process.env.DATABASE_URL ?? '',
        cookieSecret: 'recorded-privacy-requests-'.repeat(2),
        releasesFolder: folder.path,
        backendVariables: variables,
        shellVariables: variables,
      });
      started.defer(() => site.stop());
      await untilMirrored(site.address);
      await use(site.address);
      await started.disposeAsync();
    },
    { scope: 'worker' },
  ],
});

const referencePattern = /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;
const failure = 'There was an error processing your request. Please try again.';
const call = '**/api/privacy-requests';

test('a recorded request whose response is lost is stored once after a retry, and confirmed with its number', async ({
  page,
  database,
  recording,
  expectedMessages,
}) => {
  expectedMessages.push(/ERR_FAILED/, /Privacy rights request failed: TypeError/);
  const address = newAddress();
  const readStored = async () =>
    (await database.query('SELECT * FROM privacy_request WHERE email = $1 ORDER BY id', [address])).rows;
  await page.goto(`${recording}/privacy-rights-request`);
  const { main, email, name, button, message } = choiceForm(page);
  const alerts = recordAlerts(page);
  await fillIn(page);
  await email.fill(address);
  await page.route(call, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.dblclick();
  await expect(message).toHaveText(failure);
  await expect.poll(() => alerts).toEqual([failure]);
  await expect(email).toHaveValue(address);
  await expect(name).toHaveValue('Ada Reader');

  await page.unroute(call);
  await button.click();
  await expect(main.getByRole('heading', { level: 2, name: 'Request Submitted Successfully' })).toBeFocused();
  const [stored, ...others] = await readStored();
  expect(others).toEqual([]);
  expect(stored).toMatchObject({
    kind: 'privacy-rights-request',
    fields: { name: 'Ada Reader', requestType: 'access', comments: '' },
    page_version: expect.stringMatching(/^mf-privacy@\d+\.\d+\.\d+-[0-9a-f]{8}$/),
    done_at: null,
  });
  await expect(main.getByText(referencePattern)).toHaveText(stored.reference);
  const events = await database.query("SELECT type FROM outbox_event WHERE data->>'reference' = $1", [
    stored.reference,
  ]);
  expect(events.rows).toEqual([{ type: 'privacy_request.received' }]);

  expect(await accessibilityFindings(page)).toEqual([]);
  for (const [width, textSize] of [
    [320, '100%'],
    [320, '200%'],
    [1280, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), textSize);
    expect(await sidewaysScroll(page), `${width} px, ${textSize}`).toBeLessThanOrEqual(0);
    expect(await sticksOut(page), `${width} px, ${textSize}`).toEqual([]);
  }
});

test('a form works by keyboard, and is confirmed without a call', { tag: '@full' }, async ({ page, consoleLines }) => {
  await page.goto('/limit-sensitive-info');
  const { main, email, button } = choiceForm(page);
  const calls = recordCalls(page);
  for (const name of ['Skip to the content', 'Daybook, home', 'Back to Home']) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(email).toBeFocused();
  await page.keyboard.type('reader@example.com');
  for (const [name, presses] of [
    ['Financial Information', 1],
    ['Health Information', 0],
    ['Precise Location Data', 2],
    ['Demographic Information', 0],
    ['Biometric Information', 3],
    ['Browsing History', 1],
  ] as const) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('checkbox', { name })).toBeFocused();
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('Space');
  }
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Space');
  await expect(main.getByRole('heading', { level: 2, name: 'Request Submitted Successfully' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');
  const details = { email: 'reader@example.com', categoriesToLimit: ['financial', 'biometric', 'browsing'] };
  expect(consoleLines.filter((line) => line.includes(JSON.stringify(details)))).toHaveLength(1);
  expect(calls).toEqual([]);
});

test.describe('the history of a submitted form', { tag: '@full' }, () => {
  const choicePath = '/limit-sensitive-info';
  const footerLink = `footer a[href="${choicePath}"]`;

  test.beforeEach(async ({ page }) => {
    await page.goto(choicePath);
    await fillIn(page);
    await choiceForm(page).button.click();
    await expect(page.getByRole('heading', { name: 'Request Submitted Successfully' })).toBeVisible();
  });

  test('Back shows the confirmation, and a new visit or a reload the form', async ({ page }) => {
    const { main, email } = choiceForm(page);
    const confirmation = main.getByRole('heading', { name: 'Request Submitted Successfully' });
    await main.getByRole('link', { name: 'Return to Home' }).click();
    await expect(page).toHaveURL('/');
    await page.goBack();
    await expect(confirmation).toBeVisible();
    await expect(main.locator('form')).toHaveCount(0);
    await main.getByRole('link', { name: 'Return to Home' }).click();
    await page.locator(footerLink).click();
    await expect(email).toHaveValue('');
    await page.evaluate(() => history.go(-2));
    await expect(confirmation).toBeVisible();
    await page.evaluate(() => history.go(2));
    await expect(email).toHaveValue('');
    await page.evaluate(() => history.go(-2));
    await expect(confirmation).toBeVisible();
    await page.reload();
    await expect(email).toHaveValue('');
    const header = page.getByRole('banner');
    await header.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL('/');
    await page.goBack();
    await header.getByRole('link', { name: 'Daybook' }).click();
    await expect(page).toHaveURL('/');
  });

  test('Back from another document shows the confirmation, and a reload or a new visit the form', async ({ page }) => {
    const elsewhere = 'https://elsewhere.example/';
    await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }));
    const { main, email } = choiceForm(page);
    const confirmation = main.getByRole('heading', { name: 'Request Submitted Successfully' });
    await page.goto(elsewhere);
    await page.goBack();
    await expect(confirmation).toBeVisible();
    await page.goto(`${choicePath}?from=mail`);
    await expect(email).toHaveValue('');
    await page.goBack();
    await expect(confirmation).toBeVisible();
    await page.reload();
    await expect(email).toHaveValue('');
    await page.goto(elsewhere);
    await page.goBack();
    await expect(email).toBeVisible();
    await expect(confirmation).toBeHidden();
  });
});

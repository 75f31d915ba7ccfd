import { test as base, expect, newEmail } from '@daybook/testing/browser-test';
import { perWorker, startOwnSite } from '@daybook/testing/own-site';
import { accessibilityFindings, sidewaysScroll, sticksOut } from '@daybook/testing/page-checks';
import { stopChild } from '@daybook/testing/processes';
import { startBackend } from '@daybook/testing/site';
import type { Page } from '@playwright/test';
import { choiceForm, fillIn, recordAlerts } from './privacy-choices.ts';

/** Address of a second site that records privacy requests; the common one only simulates it. */
const test = base.extend<object, { recording: string }>({
  recording: perWorker(async (started) => {
    const variables = { PRIVACY_REQUESTS: 'record' };
    const backend = await startBackend({
      databaseUrl: process.env.DATABASE_URL ?? '',
      cookieSecret: 'recorded-privacy-requests-'.repeat(2),
      backendVariables: variables,
    });
    started.defer(() => stopChild(backend.child));
    return (await startOwnSite(started, { backendUrl: backend.url, shellVariables: variables })).url;
  }),
});

const demoNote = (page: Page) => page.getByRole('main').locator('[data-privacy-requests]');

test('a recorded request whose response is lost is stored once after a retry', async ({
  page,
  database,
  recording,
  expectedMessages,
}) => {
  expectedMessages.push(/ERR_FAILED/, /Privacy rights request failed: TypeError/);
  const call = '**/api/privacy-requests';
  const readerEmail = newEmail();
  await page.goto(`${recording}/privacy-rights-request`);
  const { main, email, name, button, message, confirmation } = choiceForm(page);
  const alerts = recordAlerts(page);
  await expect(demoNote(page)).toBeHidden();
  await fillIn(page);
  await email.fill(readerEmail);
  await page.route(call, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.dblclick();
  await expect(message).toBeVisible();
  await expect(button).toBeFocused();
  await expect.poll(() => alerts).toEqual([await message.textContent()]);
  await expect(email).toHaveValue(readerEmail);
  await expect(name).toHaveValue('Ada Reader');

  await page.unroute(call);
  await button.click();
  await expect(confirmation).toBeFocused();
  const requests = await database.query('SELECT * FROM privacy_request WHERE email = $1', [readerEmail]);
  expect(requests.rows).toEqual([
    expect.objectContaining({
      kind: 'privacy-rights-request',
      fields: { name: 'Ada Reader', requestType: 'access', comments: '' },
      page_version: expect.stringMatching(/^mf-privacy@\d+\.\d+\.\d+-[0-9a-f]{12}$/),
      done_at: null,
    }),
  ]);
  const { reference } = requests.rows[0];
  await expect(main.getByText(reference, { exact: true })).toBeVisible();
  const events = await database.query("SELECT type FROM outbox_event WHERE data->>'reference' = $1", [reference]);
  expect(events.rows).toEqual([{ type: 'privacy_request.received' }]);

  await expect(demoNote(page)).toBeHidden();
  expect(await accessibilityFindings(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await sticksOut(page)).toEqual([]);
});

test('Back shows the confirmation, and a new visit or a reload the form', async ({ page }) => {
  const choicePath = '/limit-sensitive-info';
  const elsewhere = 'https://elsewhere.example/';
  await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }));
  const { form, email, button, confirmation, homeLink } = choiceForm(page);
  await page.goto(choicePath);
  await expect(demoNote(page)).toBeVisible();
  await fillIn(page);
  await button.click();
  await expect(confirmation).toBeFocused();
  await expect(demoNote(page)).toBeVisible();
  await homeLink.click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(confirmation).toBeVisible();
  await expect(form).toHaveCount(0);
  await page.getByRole('banner').getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
  await page.getByRole('contentinfo').locator(`a[href="${choicePath}"]`).click();
  await expect(email).toHaveValue('');
  for (const [steps, shown] of [
    [-2, confirmation],
    [2, email],
    [-2, confirmation],
  ] as const) {
    await page.evaluate((by) => history.go(by), steps);
    await expect(shown).toBeVisible();
  }
  await page.goto(elsewhere);
  await page.goBack();
  await expect(confirmation).toBeVisible();
  await page.reload();
  await expect(email).toHaveValue('');
  await expect(confirmation).toBeHidden();
  await page.goto(elsewhere);
  await page.goBack();
  await expect(email).toBeVisible();
  await expect(confirmation).toBeHidden();
});

test('Back shows the confirmation after the document was loaded elsewhere', async ({ page }) => {
  const { email, button, confirmation, homeLink } = choiceForm(page);
  await page.goto('/unsubscribe');
  await fillIn(page);
  await button.click();
  await expect(confirmation).toBeVisible();
  await homeLink.click();
  await expect(page).toHaveURL('/');
  await page.reload();
  await page.goBack();
  await expect(confirmation).toBeVisible();
  const loaded = page.waitForEvent('load');
  // As if the address was typed into the address bar again.
  await page.evaluate(() => location.assign(location.href));
  await loaded;
  await expect(email).toHaveValue('');
  await expect(confirmation).toBeHidden();
});

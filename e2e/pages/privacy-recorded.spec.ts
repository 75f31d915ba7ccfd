import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accessibilityFindings, sidewaysScroll, sticksOut } from '@daybook/testing/page-checks';
import { type RunningSite, startSite, untilMirrored } from '@daybook/testing/site';
import type { Client } from 'pg';
import { expect, newAddress, recordCalls, test } from '../support/test.ts';
import { choiceForm, fillIn, privacyChoices, processingDelay, recordAlerts, stopClock } from './privacy-choices.ts';

let folder: string;
let site: RunningSite;

/** A second site that records privacy requests; the common one only simulates it. */
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-e2e-privacy-'));
  const recording = { PRIVACY_REQUESTS: 'record' };
  site = await startSite({
    databaseUrl: process.env.DATABASE_URL ?? '',
    cookieSecret: 'recorded-privacy-requests-'.repeat(2),
    releasesFolder: folder,
    backendVariables: { ...recording, LIMIT_NETWORK_PRIVACY_REQUESTS: '1000' },
    shellVariables: recording,
  });
  await untilMirrored(site.address);
});

test.afterAll(async () => {
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const referencePattern = /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;
const failure = 'There was an error processing your request. Please try again.';
const callPath = '/api/privacy-requests';

const storedOf = async (database: Client, email: string) =>
  (await database.query('SELECT * FROM privacy_request WHERE email = $1 ORDER BY id', [email])).rows;
const eventsOf = async (database: Client, reference: string) =>
  (await database.query("SELECT type, data FROM outbox_event WHERE data->>'reference' = $1", [reference])).rows;

for (const choice of privacyChoices) {
  const tag = choice.path === '/unsubscribe' ? [] : '@full';
  test(`${choice.path} is stored and confirmed with its number after a second`, { tag }, async ({ page, database }) => {
    await page.clock.install();
    await page.goto(site.address + choice.path);
    const { main, email, button } = choiceForm(page);
    const address = newAddress();
    await fillIn(page);
    await email.fill(address);
    const calls = recordCalls(page);
    const alerts = recordAlerts(page);
    await stopClock(page);
    const responded = page.waitForResponse(`**${callPath}`);
    await button.dblclick();
    expect((await responded).status()).toBe(201);
    await page.clock.fastForward(processingDelay - 1);
    await expect(button).toHaveText('Processing...');
    await page.clock.fastForward(1);

    await expect(main.getByRole('heading', { level: 2, name: choice.confirmation })).toBeFocused();
    for (const paragraph of choice.paragraphs) await expect(main.getByText(paragraph)).toBeVisible();
    const reference = main.getByText(referencePattern);
    await expect(reference).toBeVisible();
    expect(calls).toEqual([site.address + callPath]);
    expect(alerts).toEqual([]);

    const { email: _, ...fields } = choice.logged;
    const [row, ...others] = await storedOf(database, address);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      reference: await reference.textContent(),
      kind: choice.path.slice(1),
      fields,
      page_version: expect.stringMatching(/^mf-privacy@\d+\.\d+\.\d+-[0-9a-f]{8}$/),
      global_privacy_control: false,
      done_at: null,
    });
    expect(await eventsOf(database, row.reference)).toMatchObject([
      { type: 'privacy_request.received', data: { kind: choice.path.slice(1), email: address } },
    ]);
  });
}

test('an unsubscribe request marks the subscriber', async ({ page, database }) => {
  const address = newAddress();
  await page.request.post(`${site.address}/api/waitlist`, { data: { email: address } });
  await page.goto(`${site.address}/unsubscribe`);
  const { main, email, button } = choiceForm(page);
  await email.fill(address);
  await button.click();
  await expect(main.getByText(referencePattern)).toBeVisible();
  const { rows } = await database.query('SELECT unsubscribed_at FROM subscriber WHERE email = $1', [address]);
  expect(rows).toEqual([{ unsubscribed_at: expect.any(Date) }]);
});

test.describe('with Global Privacy Control', { tag: '@full' }, () => {
  test.use({ extraHTTPHeaders: { 'Sec-GPC': '1' } });

  test('the signal is stored with the request', async ({ page, database }) => {
    const address = newAddress();
    await page.goto(`${site.address}/targeted-opt-out`);
    const { main, email, button } = choiceForm(page);
    await email.fill(address);
    await button.click();
    await expect(main.getByText(referencePattern)).toBeVisible();
    expect(await storedOf(database, address)).toMatchObject([{ global_privacy_control: true }]);
  });
});

test('a request whose response is lost retains the typed values and is stored once after a retry', async ({
  page,
  database,
  expectedMessages,
}) => {
  expectedMessages.push(/ERR_FAILED/, /Privacy rights request failed: TypeError/);
  const address = newAddress();
  await page.goto(`${site.address}/privacy-rights-request`);
  const { main, email, name, button, message } = choiceForm(page);
  const alerts = recordAlerts(page);
  await fillIn(page);
  await email.fill(address);
  await main.getByRole('textbox', { name: /comments/ }).fill('All of it.');
  const lose = `**${callPath}`;
  await page.route(lose, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button.click();
  await expect(message).toHaveText(failure);
  await expect.poll(() => alerts).toEqual([failure]);
  await expect(email).toHaveValue(address);
  await expect(name).toHaveValue('Ada Reader');
  await expect(main.getByRole('textbox', { name: /comments/ })).toHaveValue('All of it.');
  const [stored] = await storedOf(database, address);

  await page.unroute(lose);
  await button.click();
  await expect(main.getByText(referencePattern)).toHaveText(stored.reference);
  expect(await storedOf(database, address)).toHaveLength(1);
  expect(await eventsOf(database, stored.reference)).toHaveLength(1);
});

test.describe('an address that the API but not the form rejects', { tag: '@full' }, () => {
  test.use({ expectedStatuses: [400] });

  test('shows its error in the form', async ({ page, database, expectedMessages }) => {
    expectedMessages.push(/Unsubscribe request failed: ApiError: 400/);
    await page.goto(`${site.address}/unsubscribe`);
    const { main, email, button, message } = choiceForm(page);
    recordAlerts(page);
    // The form itself rejects malformed addresses.
    const long = `${'a'.repeat(250)}@example.com`;
    await email.fill(long);
    await button.click();
    await expect(message).toHaveText('An email address has at most 254 characters.');
    await expect(email).toHaveValue(long);
    expect(await storedOf(database, long)).toEqual([]);
    await email.fill(newAddress());
    await button.click();
    await expect(main.getByText(referencePattern)).toBeVisible();
  });
});

test('the confirmation with its number is accessible at any window size', { tag: '@full' }, async ({ page }) => {
  await page.goto(`${site.address}/privacy-rights-request`);
  const { main, button } = choiceForm(page);
  await fillIn(page);
  await button.click();
  await expect(main.getByText(referencePattern)).toBeVisible();
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

test('the site that only simulates responds to requests with 404', { tag: '@full' }, async ({ page }) => {
  const response = await page.request.post(callPath, { data: {} });
  expect(response.status()).toBe(404);
});

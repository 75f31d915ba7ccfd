import type { Client } from 'pg';
import { entriesOf } from '../support/entries.ts';
import { expect, newAddress, recordCalls, signUp, test } from '../support/test.ts';

/** Returns the sources of the emergency notices about an address. */
async function emergencyNoticesOf(database: Client, email: string): Promise<readonly string[]> {
  const { rows } = await database.query('SELECT source FROM emergency_notice WHERE email = $1', [email]);
  return rows.map(({ source }) => source);
}

for (const parameter of ['id', 'userId', 'uid']) {
  test(`completes the entry in the background with ${parameter}`, async ({ page, database }) => {
    const address = newAddress();
    const id = await signUp(page, address);
    await page.goto(`/thank-you?${parameter}=${id}&e=${encodeURIComponent(address)}`);
    await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(address);
    await expect
      .poll(() => entriesOf(database, address))
      .toMatchObject([{ networkAddress: '127.0.0.0/24', noticeSource: 'thank-you-page' }]);
  });
}

test('finds this browser’s entry by the address alone', async ({ page, database }) => {
  const address = newAddress();
  await signUp(page, address);
  await page.goto(`/thank-you?email=${encodeURIComponent(address)}`);
  await expect.poll(() => entriesOf(database, address)).toMatchObject([{ noticeSource: 'thank-you-page' }]);
  expect(await emergencyNoticesOf(database, address)).toEqual([]);
});

test.describe('an address that this browser did not sign up with', () => {
  test.use({ expectedStatuses: [404] });

  test('is reported by the emergency notice', async ({ page, database }) => {
    const address = newAddress('stranger');
    await page.goto(`/thank-you?email=${encodeURIComponent(address)}`);
    await expect.poll(() => emergencyNoticesOf(database, address)).toHaveLength(1);
  });
});

test('shows a note that this is usually fine and makes no call without parameters', async ({ page }) => {
  const calls = recordCalls(page);
  await page.goto('/thank-you');
  await expect(page.getByText(/usually fine/)).toBeVisible();
  await expect(page.getByText(/spam/)).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL('/');
  expect(calls).toEqual([]);
});

test.describe('the completion notice', () => {
  test.use({ expectedStatuses: [500], expectedMessages: [/notice/] });

  const failures = [
    {
      what: 'an empty response',
      reply: { status: 200, body: '' },
      sources: ['thank-you-page', 'thank-you-page-fallback'],
    },
    {
      what: 'an error response',
      reply: { status: 200, json: { error: 'NO' } },
      sources: ['thank-you-page', 'thank-you-page-fallback'],
    },
    { what: 'a failure', reply: { status: 500 }, sources: ['thank-you-page', 'thank-you-page-emergency'] },
  ];
  for (const { what, reply, sources } of failures) {
    test(`is retried once after ${what}`, async ({ page }) => {
      const seen: { source: string; timestamp: string; forceSend: boolean }[] = [];
      await page.route('**/notify-complete', async (route) => {
        seen.push(route.request().postDataJSON());
        return seen.length === 1 ? route.fulfill(reply) : route.fulfill({ json: { success: true } });
      });
      const id = await signUp(page, newAddress());
      await page.goto(`/thank-you?id=${id}`);
      await expect.poll(() => seen.map(({ source }) => source)).toEqual(sources);
      expect(seen.every(({ timestamp, forceSend }) => forceSend && !Number.isNaN(Date.parse(timestamp)))).toBe(true);
    });
  }
});

test('the completion callback fires three seconds after completion, and not before', async ({ page }) => {
  await page.clock.install();
  const id = await signUp(page, newAddress());
  // Delays the response until the clock is stopped: otherwise the three seconds could start earlier.
  const clockStopped = Promise.withResolvers<void>();
  await page.route('**/notify-complete', async (route) => {
    await clockStopped.promise;
    await route.continue();
  });
  const requested = page.waitForRequest('**/notify-complete');
  const noticed = page.waitForResponse('**/notify-complete');
  await page.goto(`/thank-you?id=${id}`);
  await requested;
  // Less than the timeout of the call, 20 seconds.
  await page.clock.pauseAt(Date.now() + 10_000);
  clockStopped.resolve();
  await (await noticed).finished();
  // A request after that response completes after the page has processed it.
  await page.evaluate(async () => (await fetch('/healthz')).text());
  const status = page.getByText('Your registration is complete.');
  await page.clock.fastForward(2900);
  await expect(status).toBeHidden();
  await page.clock.fastForward(100);
  await expect(status).toBeVisible();
});

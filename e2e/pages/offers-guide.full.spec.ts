import { readFile } from 'node:fs/promises';
import { expect, recordCalls, stubSponsors, test } from '../support/test.ts';

const address = '/ebook-download?email=first.last%2Btag%40example.com';
const download = { name: 'Download the free guide' } as const;

test('shows the recipient of the guide', async ({ page }) => {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: 'The Senior Savings Guide' })).toBeVisible();
  await expect(page.getByText('Guide for:')).toHaveText('Guide for: first.last+tag@example.com');
  await expect(page.getByRole('main')).toContainText('Savings of up to $5,000 a year');
});

test('decodes a plus sign in the address literally', async ({ page }) => {
  await page.goto('/ebook-download?email=reader+tag@example.com');
  await expect(page.getByText('Guide for:')).toHaveText('Guide for: reader+tag@example.com');
});

for (const query of ['', '?email=', '?email=nobody', '?email=%3Cb%3EYou+won%3C%2Fb%3E', '?email=Call+555-0100']) {
  test(`“${query}” shows no recipient`, async ({ page }) => {
    await page.goto(`/ebook-download${query}`);
    await expect(page.getByRole('link', download)).toBeVisible();
    await expect(page.getByText('Guide for:')).toHaveCount(0);
  });
}

test('downloads a PDF with the stated size and number of pages', async ({ page }) => {
  await page.goto(address);
  const link = page.getByRole('link', download);
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(file.suggestedFilename()).toBe('senior-savings-guide.pdf');
  const content = await readFile(await file.path());
  expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  const pages = content.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0;
  expect(pages).toBeGreaterThanOrEqual(8);
  await expect(page.getByText(`PDF, ${pages} pages, ${Math.ceil(content.length / 1000)} kB`)).toBeVisible();
  await expect(page).toHaveURL(address);

  const response = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(response.status()).toBe(200);
  expect(response.headers()['content-type']).toBe('application/pdf');
  expect(response.headers()['cache-control']).toContain('immutable');
  expect((await response.body()).equals(content)).toBe(true);
});

test('opens the bonus housing guide, marked as sponsored, in a new tab', async ({ page }) => {
  await stubSponsors(page);
  await page.goto(address);
  const bonus = page.getByRole('region', { name: 'Bonus: the housing guide' });
  await expect(bonus).toContainText('Sponsored');
  const link = bonus.getByRole('link', { name: 'Get the bonus housing guide' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer sponsored');
  const tab = page.context().waitForEvent('page');
  await link.click();
  await expect.poll(async () => (await tab).url()).toBe('https://sponsors.daybook.example/housing-guide');
  expect(await (await tab).evaluate(() => [opener, document.referrer])).toEqual([null, '']);
  await expect(page).toHaveURL(address);
});

test('lists the contents and makes no call', async ({ page }) => {
  const calls = recordCalls(page);
  await page.goto(address);
  const inside = page.getByRole('region', { name: 'What’s inside' }).getByRole('listitem');
  await expect(inside.first()).toHaveText('Medicare costs');
  await expect(inside).toHaveCount(8);
  expect(calls).toEqual([]);
});

test('the download and the bonus can be reached by keyboard', async ({ page }) => {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', download)).toBeFocused();
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(await file.failure()).toBeNull();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Get the bonus housing guide' })).toBeFocused();
});

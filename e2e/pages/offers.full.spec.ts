import { expect, test } from '@daybook/testing/browser-test';

test('the senior guide is downloaded with its name, and cached', async ({ page }) => {
  await page.goto('/ebook-download?email=first.last%2Btag%40example.com');
  await expect(page.getByText('Guide for:')).toHaveText('Guide for: first.last+tag@example.com');
  const link = page.getByRole('link', { name: 'Download the free guide' });
  const [file] = await Promise.all([page.waitForEvent('download'), link.press('Enter')]);
  expect(file.suggestedFilename()).toBe('senior-savings-guide.pdf');
  const response = await page.request.get((await link.getAttribute('href')) ?? '');
  expect((await response.body()).subarray(0, 5).toString()).toBe('%PDF-');
  expect(response.headers()).toMatchObject({
    'content-type': 'application/pdf',
    'cache-control': expect.stringContaining('immutable'),
  });
});

import { expect, newEmail, stubSponsors, test } from '@daybook/testing/browser-test';
import { entriesOf } from '@daybook/testing/entries';
import { openSignupDialog, signupDialog, subscribeButton } from '@daybook/testing/signup-dialog';

test('signup, offer selection and thank-you page succeed, and every step is stored', async ({ page, database }) => {
  await stubSponsors(page);
  const readerEmail = newEmail();

  const { email, submit } = await openSignupDialog(page);
  await email.fill(readerEmail);
  await submit.click();
  await expect(page.getByText('Success!', { exact: true })).toBeVisible();

  await page.waitForURL(/\/thank-you\?id=\d+&email=/);
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(readerEmail);
  expect(
    await page.evaluate(() => [localStorage.getItem('userEmail'), sessionStorage.getItem('enteredEmail')]),
  ).toEqual([readerEmail, readerEmail]);

  await page.getByRole('link', { name: 'See my bonus offers' }).click();
  await page.waitForURL(/\/continue-registration\?/);
  await page.getByRole('checkbox', { name: /hearing test/i }).check();
  const sponsorTab = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  await expect(await sponsorTab).toHaveURL('https://sponsors.daybook.example/hearing-test');

  await page.waitForURL(/\/thank-you\?/);
  await expect(page.getByRole('link', { name: 'See my bonus offers' })).toBeHidden();
  await expect
    .poll(() => entriesOf(database, readerEmail))
    .toEqual([
      {
        id: Number(new URL(page.url()).searchParams.get('id')),
        step: 2,
        completed: true,
        offers: ['audien'],
        userAgent: expect.stringContaining('Chrome'),
        // In stored form.
        network: process.env.VISITOR_NETWORK ?? '127.0.0.0/24',
        noticeSource: 'thank-you-page',
      },
    ]);
});

test('signup, offer selection and thank-you page work by keyboard', async ({ page, database }) => {
  await stubSponsors(page);
  const readerEmail = newEmail('keyboard');
  const pressOn = async (key: string, target: ReturnType<typeof page.locator>) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return page.keyboard.press(key);
      await page.keyboard.press('Tab');
    }
    throw new Error('Tab does not reach the element.');
  };

  await page.goto('/');
  await pressOn('Enter', subscribeButton(page));
  await expect(signupDialog(page).email).toBeFocused();
  await page.keyboard.type(readerEmail);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeFocused();
  await pressOn('Enter', page.getByRole('link', { name: 'See my bonus offers' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Your bonus offers' })).toBeFocused();
  await pressOn('Space', page.getByRole('checkbox', { name: /home security/i }));
  const sponsorTab = page.context().waitForEvent('page');
  await pressOn('Enter', page.getByRole('button', { name: 'Continue with selected offers' }));
  await sponsorTab;
  await page.waitForURL(/\/thank-you\?/);
  await expect
    .poll(() => entriesOf(database, readerEmail))
    .toMatchObject([{ step: 2, completed: true, offers: ['vivint'] }]);
});

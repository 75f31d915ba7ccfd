import { entriesOf } from '../support/entries.ts';
import { openSignupDialog, signupDialog, subscribeButton } from '../support/signup-dialog.ts';
import { expect, newAddress, stubSponsors, test } from '../support/test.ts';

test('signup, offer selection and thank-you page succeed, and every step is stored', async ({ page, database }) => {
  await stubSponsors(page);
  const address = newAddress();

  const { dialog, email, submit } = await openSignupDialog(page);
  await email.fill(address);
  await submit.click();
  await expect(dialog.getByText("You're all set!")).toBeVisible();
  await expect(page.getByText('Success!', { exact: true })).toBeVisible();

  await page.waitForURL(/\/thank-you\?id=\d+&email=/);
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(address);
  expect(
    await page.evaluate(() => [localStorage.getItem('userEmail'), sessionStorage.getItem('enteredEmail')]),
  ).toEqual([address, address]);

  await page.getByRole('link', { name: 'See my bonus offers' }).click();
  await page.waitForURL(/\/continue-registration\?/);
  await page.getByRole('checkbox', { name: /hearing test/i }).check();
  const sponsorTab = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Continue with selected offers' }).click();
  await expect(await sponsorTab).toHaveURL('https://sponsors.daybook.example/hearing-test');

  await page.waitForURL(/\/thank-you\?/);
  await expect(page.getByRole('heading', { level: 1, name: "You're Subscribed!" })).toBeVisible();
  await expect(page.getByRole('link', { name: 'See my bonus offers' })).toBeHidden();

  const stored = {
    step: 2,
    completed: true,
    offers: ['audien'],
    // In stored form.
    networkAddress: process.env.VISITOR_NETWORK ?? '127.0.0.0/24',
    noticeSource: 'thank-you-page',
  };
  await expect.poll(() => entriesOf(database, address)).toMatchObject([stored]);
  const [entry] = await entriesOf(database, address);
  expect(entry?.userAgent).toContain('Chrome');
  expect(new URL(page.url()).searchParams.get('id')).toBe(String(entry?.id));
});

test('signup, offer selection and thank-you page work by keyboard', async ({ page, database }) => {
  await stubSponsors(page);
  const address = newAddress('keyboard');
  const tabTo = async (target: ReturnType<typeof page.locator>) => {
    for (let presses = 0; presses < 60; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('Tab does not reach the element.');
  };

  await page.goto('/');
  await tabTo(subscribeButton(page));
  await page.keyboard.press('Enter');
  const { dialog, email } = signupDialog(page);
  await expect(email).toBeFocused();
  await page.keyboard.type(address);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText("You're all set!")).toBeVisible();

  await page.waitForURL(/\/thank-you\?/);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page.getByRole('link', { name: 'See my bonus offers' }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1, name: 'Your bonus offers' })).toBeFocused();
  await tabTo(page.getByRole('checkbox', { name: /home security/i }));
  await page.keyboard.press('Space');
  await tabTo(page.getByRole('button', { name: 'Continue with selected offers' }));
  const sponsorTab = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  await sponsorTab;

  await page.waitForURL(/\/thank-you\?/);
  await expect
    .poll(() => entriesOf(database, address))
    .toMatchObject([{ step: 2, completed: true, offers: ['vivint'] }]);
});

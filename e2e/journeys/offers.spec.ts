import { entriesOf } from '../support/entries.ts';
import { expect, newAddress, signUp, stubSponsors, test } from '../support/test.ts';

const proceed = { name: 'Continue with selected offers' } as const;

test('submitting without a choice shows an error and saves nothing', async ({ page, database }) => {
  const address = newAddress();
  const id = await signUp(page, address);
  await page.goto(`/continue-registration?id=${id}&email=${encodeURIComponent(address)}`);
  await page.getByRole('button', proceed).click();
  await expect(page.getByText('Please select at least one offer to continue')).toBeVisible();
  await expect(page).toHaveURL(/continue-registration/);
  expect(await entriesOf(database, address)).toMatchObject([{ offers: null }]);

  await page.getByRole('checkbox').first().check();
  await expect(page.getByText('Please select at least one offer to continue')).toBeHidden();
});

test('“No thanks” needs no choice, saves an empty selection and moves on', async ({ page, database }) => {
  const address = newAddress();
  const id = await signUp(page, address);
  await page.goto(`/continue-registration?id=${id}&email=${encodeURIComponent(address)}`);
  await page.getByRole('button', { name: 'No thanks' }).click();
  await page.waitForURL(/\/thank-you\?/);
  await expect.poll(() => entriesOf(database, address)).toMatchObject([{ offers: [] }]);
});

test('all four offers are listed by priority', async ({ page }) => {
  const id = await signUp(page, newAddress());
  await page.goto(`/continue-registration?id=${id}`);
  const offers = page.getByRole('checkbox');
  for (const [index, name] of [/food benefits/i, /home security/i, /hearing test/i, /gift card/i].entries()) {
    await expect(offers.nth(index)).toHaveAccessibleName(name);
  }
  await expect(offers).toHaveCount(4);
});

test.describe('with a finger', { tag: '@full' }, () => {
  test.use({ hasTouch: true });

  test('a tap explains “Sponsored”; a second tap, a tap elsewhere and Escape hide the explanation', async ({
    page,
  }) => {
    await page.goto('/continue-registration?id=7');
    const badge = page.getByRole('button', { name: 'Sponsored' });
    const tooltip = page.getByRole('tooltip');
    const hide = [
      () => badge.tap(),
      () => page.getByRole('heading', { level: 1 }).tap(),
      () => page.keyboard.press('Escape'),
    ];
    for (const hideIt of hide) {
      // The second tap of a double tap is ignored, so a tap at the same place is tried again.
      await expect(async () => {
        await badge.tap();
        await expect(tooltip).toHaveText('Sponsors pay for the newsletter, so that you don’t have to.', {
          timeout: 100,
        });
      }).toPass({ intervals: [700] });
      await expect(badge).toHaveAccessibleDescription(/Sponsors pay/);
      await expect(async () => {
        await hideIt();
        await expect(tooltip).toBeHidden({ timeout: 100 });
      }).toPass({ intervals: [700] });
    }
  });
});

for (const query of ['', '?id=', '?id=abc', '?id=12abc', '?id=1.5', '?email=a@example.com']) {
  test(`“${query}” is not a valid registration`, async ({ page }) => {
    await page.goto(`/continue-registration${query}`);
    await expect(page.getByRole('heading', { name: 'Registration Not Found' })).toBeVisible();
    await page.getByText('Return to Homepage').click();
    await expect(page).toHaveURL('/');
  });
}

test.describe('when the choice cannot be saved', () => {
  test.use({ expectedStatuses: [500], expectedMessages: [/offers|selection/i] });

  test('logs the error and the visitor moves on', async ({ page }) => {
    await stubSponsors(page);
    const id = await signUp(page, newAddress());
    await page.route('**/api/waitlist/*/offers', (route) => route.fulfill({ status: 500 }));
    await page.goto(`/continue-registration?id=${id}`);
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', proceed).click();
    await expect(page).toHaveURL(/\/thank-you\?/);
  });
});

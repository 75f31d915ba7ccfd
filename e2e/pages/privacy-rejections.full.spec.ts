import { expect, test } from '../support/test.ts';
import {
  breakProcessing,
  choiceForm,
  fillIn,
  privacyChoices,
  processingFailure,
  recordAlerts,
} from './privacy-choices.ts';

const invalidEmail = 'Please enter a valid email address';
const missingCategory = 'Please select at least one category of sensitive information';
const failure = 'There was an error processing your request. Please try again.';

for (const choice of privacyChoices) {
  test.describe(choice.path, () => {
    // All choices share the address field, so one choice covers most rejected values.
    for (const address of choice.path === '/unsubscribe' ? ['', '   ', 'reader.example.com'] : ['reader.example.com']) {
      test(`“${address}” shows an alert and an error at the field`, async ({ page }) => {
        await page.goto(choice.path);
        const { email, button, message } = choiceForm(page);
        const alerts = recordAlerts(page);
        // Typed like a visitor: an email field strips blanks from values that a script sets.
        await email.pressSequentially(address);
        await button.click();
        await expect(message).toHaveText(invalidEmail);
        await expect(email).toHaveAttribute('aria-invalid', 'true');
        await expect(email).toHaveAccessibleDescription(new RegExp(invalidEmail));
        await expect(email).toBeFocused();
        await expect(button).toHaveText(choice.button);
        await expect.poll(() => alerts).toEqual([invalidEmail]);
      });
    }

    test('an unexpected failure is alerted, logged and shown on the page; a retry succeeds', async ({
      page,
      consoleLines,
      expectedMessages,
    }) => {
      expectedMessages.push(processingFailure);
      await page.clock.install();
      await page.goto(choice.path);
      const { main, email, button, message } = choiceForm(page);
      const alerts = recordAlerts(page);
      await fillIn(page);
      await breakProcessing(page);
      await button.click();
      await page.clock.runFor(1000);
      await expect(message).toHaveText(failure);
      await expect.poll(() => alerts).toEqual([failure]);
      expect(consoleLines.filter((line) => line.includes('failed: Error: out of order'))).toHaveLength(1);
      await expect(email).toHaveValue('reader@example.com');
      await expect(button).toHaveText(choice.button);
      await expect(button).not.toHaveAttribute('aria-disabled', 'true');

      await button.click();
      await expect(message).toHaveCount(0);
      await page.clock.runFor(1000);
      await expect(main.getByRole('heading', { name: choice.confirmation })).toBeFocused();
    });
  });
}

test('a privacy rights request without a name shows an error at the field, after that of the address', async ({
  page,
}) => {
  await page.goto('/privacy-rights-request');
  const { email, name, button, message } = choiceForm(page);
  const alerts = recordAlerts(page);
  await button.click();
  await expect(message).toHaveText(invalidEmail);
  await email.fill('reader@example.com');
  await expect(message).toHaveCount(0);
  await button.click();
  await expect(message).toHaveText('Please enter your full name');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toBeFocused();
  await expect.poll(() => alerts).toEqual([invalidEmail]);
});

test('limiting nothing shows an alert and an error at the question, after that of the address', async ({ page }) => {
  await page.goto('/limit-sensitive-info');
  const { main, email, button, message } = choiceForm(page);
  const alerts = recordAlerts(page);
  const financial = main.getByRole('checkbox', { name: 'Financial Information' });
  await financial.check();
  await financial.uncheck();
  await button.click();
  await expect(message).toHaveText(invalidEmail);
  await email.fill('reader@example.com');
  await button.click();
  await expect(message).toHaveText(missingCategory);
  await expect(main.getByRole('group', { name: 'Information to limit' })).toHaveAccessibleDescription(
    new RegExp(missingCategory),
  );
  await expect(financial).toBeFocused();
  await expect.poll(() => alerts).toEqual([invalidEmail, missingCategory]);
  await financial.check();
  await expect(message).toHaveCount(0);
});

test('a privacy rights request has six types, with access as the default', async ({ page }) => {
  await page.goto('/privacy-rights-request');
  const type = page.getByRole('combobox', { name: 'Request type' });
  await expect(type).toHaveValue('access');
  await expect(type).toHaveAttribute('required');
  await expect(type.getByRole('option')).toHaveText([
    'Access My Data',
    'Delete My Data',
    'Correct My Data',
    'Data Portability',
    'Restrict Processing',
    'Object to Processing',
  ]);
});

test('six categories of sensitive information can be limited, none by default', async ({ page }) => {
  await page.goto('/limit-sensitive-info');
  const boxes = page.getByRole('group', { name: 'Information to limit' }).getByRole('checkbox');
  const labels = [
    'Financial Information',
    'Health Information',
    'Precise Location Data',
    'Demographic Information',
    'Biometric Information',
    'Browsing History',
  ];
  await expect(boxes).toHaveCount(labels.length);
  for (const [index, label] of labels.entries()) {
    await expect(boxes.nth(index)).toHaveAccessibleName(label);
    await expect(boxes.nth(index)).not.toBeChecked();
  }
});

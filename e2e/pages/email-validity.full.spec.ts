import { emailAddressSchema, normalizeEmailAddress } from '@daybook/contract/api';
import type { Locator, Page } from '@playwright/test';
import * as fc from 'fast-check';
import { addressLike, hostileAddresses, wrap } from '../../packages/contract/test/email-addresses.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, recordCalls, test } from '../support/test.ts';
import { choiceForm } from './privacy-choices.ts';

const typedAddresses = [...hostileAddresses, ...fc.sample(addressLike, 5_000)];

/** Returns the addresses that this browser's `email` field accepts, as typed. */
async function acceptedByBrowser(page: Page, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const accepted = await page.evaluate((typed) => {
    const input = Object.assign(document.createElement('input'), { type: 'email', required: true });
    return typed.map((address) => {
      input.value = address;
      return input.validity.valid;
    });
  }, addresses);
  return new Set(addresses.filter((_address, index) => accepted[index]));
}

/** Accepted only by us: what people paste with an address, and domains that a script sets without punycode. */
const needsNormalization = (typed: string) => normalizeEmailAddress(typed) !== typed;

/**
 * Accepted only by the browser: no dot in the domain, no letter after the last one, dots at an end of the local part or
 * two in a row, a quote at its start, domains that IDNA 2008 does not allow, and line breaks, which its field removes.
 */
const isStricter = (typed: string) =>
  !/\.[a-z][^.@]*$/i.test(typed.trim()) ||
  /^\s*[.'`]|\.[.@]/.test(typed) ||
  /xn--|[^\0-\x7f]/.test(typed) ||
  /[\r\n]/.test(typed.trim());

test('the browser accepts each stored address, and each typed address except those that are normalized', async ({
  page,
}) => {
  const stored = typedAddresses.flatMap((typed) => emailAddressSchema.safeParse(typed).data ?? []);
  expect(stored.length).toBeGreaterThan(500);
  const accepted = await acceptedByBrowser(page, [...stored, ...typedAddresses]);
  expect(stored.filter((address) => !accepted.has(address))).toEqual([]);
  const differences = typedAddresses.filter(
    (typed) => emailAddressSchema.safeParse(typed).success && !accepted.has(typed),
  );
  expect(differences.filter((typed) => !needsNormalization(typed))).toEqual([]);
});

test('a signup accepts all addresses that the browser accepts, except in domains that are not public, and dots', async ({
  page,
}) => {
  const accepted = await acceptedByBrowser(page, typedAddresses);
  expect(accepted.size).toBeGreaterThan(500);
  const differences = [...accepted].filter((typed) => !emailAddressSchema.safeParse(typed).success);
  expect(differences.filter((typed) => !isStricter(typed))).toEqual([]);
});

/** What a field could change before the page sees it; the units try all others. */
const pasted = ['\u200b_\u200b', '\u00a0_\u3000', '\u202a_\u202c', 'mailto:_', '<_>', '“_”', '• _', '_.'].map(
  (wrapping) => wrap(wrapping, 'reader@example.com'),
);

/** Puts a text into the focused field like a keyboard or a paste, which a script's change is not. */
const typeInto = async (page: Page, field: Locator, typed: string) => {
  await field.fill('');
  await field.focus();
  await page.keyboard.insertText(typed);
};

test('the signup form rejects what no address contains, before any call', async ({ page }) => {
  const { dialog, email, submit } = await openSignupDialog(page);
  const calls = recordCalls(page);
  // A field of one line removes line breaks.
  for (const typed of hostileAddresses.filter((address) => !/[\r\n]/.test(address))) {
    await typeInto(page, email, typed);
    await submit.click();
    await expect(dialog.getByRole('alert'), typed).toHaveText('Please enter a valid email address.');
  }
  expect(calls).toEqual([]);
});

test('the signup form finds the address in what people paste with it', async ({ page }) => {
  const sent: string[] = [];
  await page.route('**/api/waitlist', (route) => {
    sent.push(route.request().postDataJSON().email);
    return route.fulfill({ status: 201, json: {} });
  });
  const { dialog, email, submit } = await openSignupDialog(page);
  // The completed state stays.
  await holdTimers(page, 1500);
  for (const typed of pasted) {
    await typeInto(page, email, typed);
    await submit.click();
    await dialog.getByRole('button', { name: 'Sign up another person' }).click();
  }
  expect(sent).toEqual(pasted.map(() => 'reader@example.com'));
});

test('a privacy form finds the address in what people paste with it, at any host', async ({ page, consoleLines }) => {
  const typed = [...pasted, 'reader@under_score.example.com', 'reader@192.0.2.1', 'reader@[192.0.2.1]'];
  await page.clock.install();
  for (const address of typed) {
    await page.goto('/unsubscribe');
    const { email, button, message } = choiceForm(page);
    await typeInto(page, email, address);
    await button.click();
    await page.clock.runFor(1_000);
    await expect(message, address).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Unsubscribe Request Submitted' })).toBeVisible();
  }
  const logged = consoleLines.filter((line) => line.includes('intended for'));
  expect(logged).toHaveLength(typed.length);
  for (const line of logged.slice(0, pasted.length)) expect(line).toContain('{"email":"reader@example.com"}');
});

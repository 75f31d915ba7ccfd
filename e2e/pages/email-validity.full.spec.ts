import { emailAddressSchema, normalizeEmailAddress } from '@daybook/contract/api';
import type { Page } from '@playwright/test';
import * as fc from 'fast-check';
import { addressLike, hostileAddresses, wrap } from '../../packages/contract/test/email-addresses.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

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
    await email.fill('');
    await email.focus();
    // Like a keyboard or a paste, which a script's change is not.
    await page.keyboard.insertText(typed);
    await submit.click();
    await dialog.getByRole('button', { name: 'Sign up another person' }).click();
  }
  expect(sent).toEqual(pasted.map(() => 'reader@example.com'));
});

import { emailAddressSchema } from '@daybook/contract/api';
import type { Page } from '@playwright/test';
import * as fc from 'fast-check';
import { addressLike, hostileAddresses } from '../../packages/contract/test/email-addresses.ts';
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

/** Accepted only by us: surrounding blanks, one trailing dot, and domains that a script sets without punycode. */
const needsNormalization = (typed: string) => typed !== typed.trim() || typed.endsWith('.') || /[^\0-\x7f]/.test(typed);

/** Accepted only by the browser: no dot, no letter after the last dot, and line breaks, which its field removes. */
const isStricter = (typed: string) => !/\.[a-z][^.@]*$/i.test(typed.trim()) || /[\r\n]/.test(typed.trim());

test('the browser accepts each stored address, and each typed address except those with a trailing dot or umlauts', async ({
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

test('a signup accepts all addresses that the browser accepts, except domains without a dot and IP addresses', async ({
  page,
}) => {
  const accepted = await acceptedByBrowser(page, typedAddresses);
  expect(accepted.size).toBeGreaterThan(500);
  const differences = [...accepted].filter((typed) => !emailAddressSchema.safeParse(typed).success);
  expect(differences.filter((typed) => !isStricter(typed))).toEqual([]);
});

import { emailSchema, normalizeEmail } from '@daybook/contract/api';
import { emailLike, hostileEmails, wrap } from '@daybook/testing/emails';
import * as fc from 'fast-check';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

/**
 * Accepted only by the browser: no dot in the domain, no letter after the last one, dots at an end of the local part or
 * two in a row, a quote at its start, domains that IDNA 2008 does not allow, and line breaks, which its field removes.
 */
const isStricter = (typed: string) =>
  !/\.[a-z][^.@]*$/i.test(typed.trim()) ||
  /^\s*[.'`]|\.[.@]/.test(typed) ||
  /xn--|[^\0-\x7f]/.test(typed) ||
  /[\r\n]/.test(typed.trim());

test('the browser accepts each stored address, and what a signup accepts, except what is normalized, not public, or has misplaced dots', async ({
  page,
}) => {
  const typedEmails = [...hostileEmails, ...fc.sample(emailLike, 5_000)];
  const storedAs = (typed: string) => emailSchema.safeParse(typed).data;
  const stored = typedEmails.flatMap((typed) => storedAs(typed) ?? []);
  const all = [...stored, ...typedEmails];
  const valid = await page.evaluate((typed) => {
    const input = Object.assign(document.createElement('input'), { type: 'email', required: true });
    return typed.map((email) => {
      input.value = email;
      return input.validity.valid;
    });
  }, all);
  const accepted = new Set(all.filter((_address, index) => valid[index]));
  expect(stored.length).toBeGreaterThan(500);
  expect(stored.filter((email) => !accepted.has(email))).toEqual([]);
  const onlyHere = typedEmails.filter((typed) => storedAs(typed) !== undefined && !accepted.has(typed));
  expect(onlyHere.filter((typed) => normalizeEmail(typed) === typed)).toEqual([]);
  const onlyThere = [...accepted].filter((typed) => storedAs(typed) === undefined);
  expect(onlyThere.filter((typed) => !isStricter(typed))).toEqual([]);
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

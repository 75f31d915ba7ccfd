import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { ReportNonces } from './report-nonces.ts';

const minute = 60_000;
const releases = ['mf-legal@1.0.1-00000002'];
const address = '192.0.2.7';

let now = 0;
let nonces: ReportNonces;
beforeEach(() => {
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  nonces = new ReportNonces('secret');
});
afterEach(() => {
  jest.restoreAllMocks();
});
const issue = (from = address) => nonces.issue(from, releases);

describe('a nonce', () => {
  test('is valid for ten minutes, with the releases that it was issued for', () => {
    const { nonce, text } = issue();
    expect(nonce.releases).toEqual(releases);
    now += 10 * minute - 1;
    expect(nonces.verify(text, address)).toEqual(nonce);
    now += 1;
    expect(nonces.verify(text, address)).toBeUndefined();
  });

  test('is unique, and does not reveal the network', () => {
    const [one, other] = [issue(), issue()];
    expect(one.nonce.id).not.toBe(other.nonce.id);
    expect(Buffer.from(one.text, 'base64url').toString()).not.toContain('192');
    expect(one.nonce.network).not.toContain('192');
  });

  test('fits into a header and a report', () => {
    expect(issue().text).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(issue().text.length).toBeLessThan(300);
  });

  test.each([
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['2001:db8:7:1::1', '2001:db8:7:ffff::1', true],
    ['2001:db8:7::1', '2001:db8:8::1', false],
  ])('issued to %s is valid from %s: %s', (one, other, expected) => {
    expect(nonces.verify(issue(one).text, other) !== undefined).toBe(expected);
  });

  test('of another replica is valid only with the same secret', () => {
    const { nonce, text } = issue();
    expect(new ReportNonces('secret').verify(text, address)).toEqual(nonce);
    expect(new ReportNonces('another').verify(text, address)).toBeUndefined();
  });

  test('is rejected if it is any other text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => nonces.verify(text, address) === undefined));
  });

  test('is rejected if anything is changed, added or removed', () => {
    const { text } = issue();
    const places = fc.nat({ max: text.length });
    fc.assert(
      fc.property(places, places, fc.string({ maxLength: 3 }), (start, end, inserted) => {
        const changed = text.slice(0, start) + inserted + text.slice(end);
        return changed === text || nonces.verify(changed, address) === undefined;
      }),
    );
  });

  test('can be used once for each purpose', () => {
    const [{ nonce }, { nonce: other }] = [issue(), issue()];
    const purposes = ['failure', 'hydration'];
    expect(purposes.map((purpose) => nonces.use(nonce, purpose))).toEqual([true, true]);
    expect(nonces.use(other, 'failure')).toBe(true);
    now += 10 * minute - 1;
    expect(purposes.map((purpose) => nonces.use(nonce, purpose))).toEqual([false, false]);
  });
});

test('forgets the oldest uses beyond 20,000, so that a flood of them hides no other', () => {
  const nonceOf = (id: number) => ({ id: `nonce ${id}`, network: 'one', releases });
  const uses = Array.from({ length: 30_000 }, (_, id) => nonces.use(nonceOf(id), 'failure'));
  expect(uses).not.toContain(false);
  expect(nonces.use(nonceOf(29_999), 'failure')).toBe(false);
});

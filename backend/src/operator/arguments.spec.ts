import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { wrap, wrappings } from '../../../packages/contract/test/email-addresses.ts';
import { parseAddress, parseEventIds, parseMoment, parseReference, parseWholeNumber } from './arguments.ts';

describe('parseMoment', () => {
  beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') }));
  afterEach(() => void jest.useRealTimers());

  test.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:30Z', '2026-11-01T08:30:00.000Z'],
    ['2026-11-01T08:30:15.5+02:00', '2026-11-01T06:30:15.500Z'],
    ['7d', '2026-11-14T12:00:00.000Z'],
    ['12h', '2026-11-21T00:00:00.000Z'],
  ])('accepts %s', (text, moment) => expect(parseMoment(text).toISOString()).toBe(moment));

  test.each(['yesterday', '2026-02-30', '2026-02-30T00:00Z', '2026-11-01T25:00Z', '2026-11-01T08:30', '7', '-1d', ''])(
    'rejects “%s”',
    (text) => expect(() => parseMoment(text)).toThrow('It must be a day such as 2026-11-21, '),
  );
});

test.each(['0', '367', '1.5', '0x10', '', '1e2'])('parseWholeNumber rejects “%s” for 1 to 366', (text) => {
  expect(() => parseWholeNumber(1, 366)(text)).toThrow('It must be a whole number from 1 to 366.');
  expect(parseWholeNumber(1, 366)('366')).toBe(366);
});

test('parseAddress returns an address as it is stored, also of an earlier version, without what was pasted with it', () => {
  expect(parseAddress(' Ada@EXAMPLE.com. ')).toBe('Ada@example.com');
  expect(parseAddress('ädä@Intranet')).toBe('ädä@intranet');
  for (const wrapping of wrappings) expect(parseAddress(wrap(wrapping, 'ada@example.com'))).toBe('ada@example.com');
  for (const address of ['ada@192.0.2.1', '(odd)one@xn--mnchen-3ya.de', 're..ader.@example.com', 'o’hara@example.com'])
    expect(parseAddress(address)).toBe(address);
});

test.each(['', '@', 'ada', 'a@b@c.co', 'a b@c.co', 'a@b.co, c@d.co', 'a@b.co\nc', `${'x'.repeat(250)}@b.co`])(
  'parseAddress rejects %j',
  (text) => expect(() => parseAddress(text)).toThrow('It is not an e-mail address.'),
);

test('parseEventIds and parseReference accept ids and reference numbers only, in any case', () => {
  const id = '01a1fcd3-c5b1-7af2-9dd3-4a5e9127fc42';
  expect(parseEventIds(id.toUpperCase())).toEqual([id]);
  expect(() => parseEventIds('7')).toThrow('It is not an event id; operator events list shows them.');
  expect(parseReference('k7qm-3xta-9vd2')).toBe('K7QM-3XTA-9VD2');
  expect(() => parseReference('7')).toThrow('It is not a reference number such as K7QM-3XTA-9VD2.');
});

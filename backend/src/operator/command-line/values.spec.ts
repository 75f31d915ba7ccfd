import { describe, expect, test } from '@jest/globals';
import { readAddress, readChoice, readDue, readEventId, readMoment, readWholeNumber } from './values.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('a moment', () => {
  test.each([
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T08:30Z', '2026-11-01T08:30:00.000Z'],
    ['2026-11-01T08:30:15.5+02:00', '2026-11-01T06:30:15.500Z'],
    ['7d', '2026-11-14T12:00:00.000Z'],
    ['12h', '2026-11-21T00:00:00.000Z'],
  ])('can be %s', (text, moment) => {
    expect(readMoment(text, '--since', now).toISOString()).toBe(moment);
  });

  test.each(['yesterday', '2026-02-30', '2026-02-30T00:00Z', '2026-11-01T25:00Z', '2026-11-01T08:30', '7', '-1d', ''])(
    'is not “%s”',
    (text) => {
      expect(() => readMoment(text, '--since', now)).toThrow(
        `--since must be a day such as 2026-11-21, a time such as 2026-11-21T08:00:00Z, or an age such as 7d or 12h, not “${text}”.`,
      );
    },
  );
});

describe('what is due', () => {
  test.each([
    ['2026-11-21', '2026-11-22T00:00:00.000Z'],
    ['today', '2026-11-22T00:00:00.000Z'],
    ['0', '2026-11-21T12:00:00.000Z'],
    ['7', '2026-11-28T12:00:00.000Z'],
  ])('by %s is due before %s', (text, end) => {
    expect(readDue(text, '--due', now).toISOString()).toBe(end);
  });

  test.each(['7d', '2026-11-31', 'tomorrow', '-1', ''])('is not “%s”', (text) => {
    expect(() => readDue(text, '--due', now)).toThrow(
      `--due must be a day such as 2026-12-01, or a number of days such as 7, not “${text}”.`,
    );
  });
});

test.each(['0', '367', '1.5', '0x10', '', '1e2'])('a number of days from 1 to 366 is not “%s”', (text) => {
  expect(() => readWholeNumber(text, '--days', 1, 366)).toThrow(
    `--days must be a whole number from 1 to 366, not “${text}”.`,
  );
  expect(readWholeNumber('366', '--days', 1, 366)).toBe(366);
});

test('a choice is one of those there are', () => {
  const choices = ['pending', 'delivered', 'dead'] as const;
  expect(readChoice('dead', '--status', choices)).toBe('dead');
  expect(() => readChoice('toString', '--status', choices)).toThrow(
    '--status must be pending, delivered, or dead, not “toString”.',
  );
});

test('an address is read in the spelling under which it is stored', () => {
  expect(readAddress(' Ada@EXAMPLE.com. ')).toBe('Ada@example.com');
  // Of which privacy requests are kept.
  expect(readAddress('ädä@Intranet')).toBe('ädä@intranet');
  expect(() => readAddress('ada')).toThrow('“ada” is no e-mail address.');
});

test('an id of an event is a UUID', () => {
  expect(readEventId('01A1FCD3-C5B1-7AF2-9DD3-4A5E9127FC42')).toBe('01a1fcd3-c5b1-7af2-9dd3-4a5e9127fc42');
  expect(() => readEventId('7')).toThrow('“7” is no id of an event; operator events list shows them.');
});

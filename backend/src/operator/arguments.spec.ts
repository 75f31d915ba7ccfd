import { expect, test } from '@jest/globals';
import { parseEmail, parseEventIds, parseReference } from './arguments.ts';

test('parseEmail returns an email as it is stored', () => {
  expect(parseEmail(' Ada@EXAMPLE.com ')).toBe('Ada@example.com');
  expect(parseEmail('ädä@Intranet')).toBe('ädä@intranet');
});

test.each(['', '@', 'ada', 'a@b@c.co', 'a b@c.co', 'a@b.co, c@d.co', 'a@b.co\nc', `${'x'.repeat(250)}@b.co`])(
  'parseEmail rejects %j',
  (text) => expect(() => parseEmail(text)).toThrow('It is not an e-mail address.'),
);

test('parseEventIds and parseReference accept ids and reference numbers only, in any case', () => {
  const id = '01a1fcd3-c5b1-7af2-9dd3-4a5e9127fc42';
  expect(parseEventIds(id.toUpperCase())).toEqual([id]);
  expect(() => parseEventIds('7')).toThrow('It is not an event id; the view reports.events has them.');
  expect(parseReference('k7qm-3xta-9vd2')).toBe('K7QM-3XTA-9VD2');
  expect(() => parseReference('7')).toThrow('It is not a reference number such as K7QM-3XTA-9VD2.');
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { OperatorAccess, sessionLength } from './operator-access.ts';

const token = 'operator-token-of-a-test';

let now = 0;
let access: OperatorAccess;
beforeEach(() => {
  now = Date.parse('2026-11-21T12:00:00Z');
  access = new OperatorAccess(token, () => now);
});

describe('the token', () => {
  test.each([
    [token, true],
    ['', false],
    [token.slice(1), false],
    [`${token}x`, false],
    [token.toUpperCase(), false],
  ])('%p: %p', (given, right) => {
    expect(access.isToken(given)).toBe(right);
  });

  test.each([
    [`Bearer ${token}`, true],
    [`bearer ${token}`, true],
    [undefined, false],
    ['', false],
    [token, false],
    [`Basic ${token}`, false],
    ['Bearer', false],
    [`Bearer ${token} ${token}`, false],
    [`Bearer ${token}x`, false],
  ])('as the header %p: %p', (header, right) => {
    expect(access.isAuthorization(header)).toBe(right);
  });
});

describe('a session', () => {
  test.each(['Ann', 'Zoë Müller', '李', 'a.b', '"><script>'])('keeps the name of %s for eight hours', (name) => {
    const session = access.openSession(name);
    now += sessionLength - 1;
    expect(access.nameOf(session)).toBe(name);
    now += 1;
    expect(access.nameOf(session)).toBeUndefined();
  });

  test('does not carry the token', () => {
    expect(access.openSession('Ann')).not.toContain(token);
  });

  test('is over when the token is changed', () => {
    expect(new OperatorAccess('another-token-of-this-test').nameOf(access.openSession('Ann'))).toBeUndefined();
  });

  test.each(['name', 'end', 'signature'])('is none with another %s', (part) => {
    const [name = '', end = '', signature = ''] = access.openSession('Ann').split('.');
    const forged = {
      name: [Buffer.from('Eve').toString('base64url'), end, signature],
      end: [name, String(Number(end) + 1), signature],
      signature: [name, end, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
    }[part];
    expect(access.nameOf(forged?.join('.'))).toBeUndefined();
  });

  test.each([
    undefined,
    '',
    '.',
    '..',
    '...',
    'QW5u',
    'QW5u.99999999999999',
    'QW5u.99999999999999.',
    'QW5u.Infinity.x',
  ])('is not %p', (session) => {
    expect(access.nameOf(session)).toBeUndefined();
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bearerTokenOf, findOperatorToken, operatorNamePattern, parseOperatorTokens } from './operator-tokens.ts';

const token = 'operator-token-of-a-test';

describe('OPERATOR_TOKENS', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => operatorNamePattern.test(text) && !/[:,]/.test(text) && text.trim() === text);
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const aToken = fc.string({ unit: visible, minLength: 24, maxLength: 80 }).filter((text) => !text.includes(','));
  const tokens = fc.uniqueArray(fc.record({ name, token: aToken }), { selector: (each) => each.name, maxLength: 8 });

  test('returns every configured name and token', () => {
    fc.assert(
      fc.property(tokens, (expected) => {
        fc.pre(new Set(expected.map((each) => each.token)).size === expected.length);
        const pairs = expected.map((each) => `${each.name}:${each.token}`);
        expect(parseOperatorTokens(pairs.join(', '))).toEqual(expected);
        expect(parseOperatorTokens(`${pairs.join('\n')}\n`)).toEqual(expected);
      }),
    );
  });

  test.each([
    [`Ann:${token},Ann:${token}x`, 'has the same name twice'],
    [`Ann:${token},Bob:${token}`, 'has the same token twice'],
    [`Ann:${token},Bob:short`, 'pair 2 is not'],
    [`Ann:${token},`, 'pair 2 is not'],
    [token, 'pair 1 is not'],
    [`:${token}`, 'pair 1 is not'],
    [`A\u2028nn:${token}`, 'pair 1 is not'],
    [`${'A'.repeat(61)}:${token}`, 'pair 1 is not'],
    [`Ann:${token} ${token}`, 'pair 1 is not'],
  ])('%j is rejected: it %s', (text, reason) => {
    expect(() => parseOperatorTokens(text)).toThrow(reason);
  });

  test('is rejected without repeating any of it, or has names and tokens that are safe to use', () => {
    const json = tokens.map((pairs) => JSON.stringify(pairs));
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 200 }), json), (text) => {
        const parsed = (() => {
          try {
            return parseOperatorTokens(text);
          } catch (error) {
            expect((error as Error).message).toMatch(/^(?:must be|has the)/);
            if (text.length > 10) expect((error as Error).message).not.toContain(text);
            return [];
          }
        })();
        for (const each of parsed) {
          expect(each.name).toMatch(/^[^:,\p{C}]{1,60}$/u);
          expect(each.token).toMatch(/^[!-+\--~]{24,}$/);
        }
      }),
    );
  });
});

test('a token is found with its name, and by no other text', () => {
  const tokens = [{ token }, { name: 'Ann', token: 'another-token-of-this-test' }];
  for (const each of tokens) expect(findOperatorToken(tokens, each.token)).toEqual(each);
  for (const other of ['', token.slice(1), `${token}x`, token.toUpperCase(), `${token},`, 'a'.repeat(100_000)])
    expect(findOperatorToken(tokens, other)).toBeUndefined();
});

test.each([
  [`Bearer ${token}`, token],
  [`bearer ${token}`, token],
  [undefined, ''],
  [token, ''],
  [`Basic ${token}`, ''],
  ['Bearer', ''],
  [`Bearer ${token} ${token}`, ''],
])('the token of the header %j is %j', (header, expected) => {
  expect(bearerTokenOf(header)).toBe(expected);
});

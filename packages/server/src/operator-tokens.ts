import { isSameSecret } from './keys.ts';

/** A token that lets an operator in. The audit log takes the name from it; an operator whose token has none says one. */
export interface OperatorToken {
  readonly token: string;
  readonly name?: string;
}

/** Returns the token that equals `given`; compares with all of them, so that the time does not say with which. */
export const findOperatorToken = (tokens: readonly OperatorToken[], given: string): OperatorToken | undefined =>
  tokens.filter(({ token }) => isSameSecret(token, given))[0];

/** Returns what an `Authorization: Bearer` header carries; an empty text, which is no token, for any other header. */
export const bearerTokenOf = (header: string | undefined): string => /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? '';

/** In characters. */
export const operatorTokenMinLength = 24;

export const operatorNameMaxLength = 60;

/** Line separators are no control characters, but start a line of a log in some viewers. */
export const operatorNamePattern = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/**
 * Parses `OPERATOR_TOKENS`: `name:token` pairs, separated by commas or line ends; none in an empty text.
 *
 * @throws Error saying which pair is malformed by its number, for any part of it may be a secret
 */
export function parseOperatorTokens(text: string): readonly OperatorToken[] {
  if (text.trim() === '') return [];
  const tokens = text
    .trim()
    .split(/,\r?\n|,|\r?\n/)
    .map((pair, index) => {
      const [, name = '', token = ''] = /^([^:]*):(.*)$/s.exec(pair.trim()) ?? [];
      const isNamed = name.length <= operatorNameMaxLength && name.trim() === name && operatorNamePattern.test(name);
      if (isNamed && /^[!-~]+$/.test(token) && token.length >= operatorTokenMinLength) return { name, token };
      throw new Error(
        `must be name:token pairs, with names of 1 to ${operatorNameMaxLength} characters and tokens of ${operatorTokenMinLength} or more; pair ${index + 1} is not`,
      );
    });
  for (const part of ['name', 'token'] as const)
    if (new Set(tokens.map((each) => each[part])).size < tokens.length) throw new Error(`has the same ${part} twice`);
  return tokens;
}

/** Returns all tokens that let operators in: those of `OPERATOR_TOKENS`, and that of `OPERATOR_TOKEN`. */
export const allOperatorTokens = (
  unnamed: string | undefined,
  named: readonly OperatorToken[],
): readonly OperatorToken[] => [...named, ...(unnamed ? [{ token: unnamed }] : [])];

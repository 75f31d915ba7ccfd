import { isSameSecret } from './keys.ts';

/**
 * A token that authenticates an operator. The audit log takes the name from it; with a token without a name, the
 * operator states one.
 */
export interface OperatorToken {
  readonly token: string;
  readonly name?: string;
}

/** Returns the token that equals `text`; always compares with all of them, so that the timing does not reveal which. */
export const findOperatorToken = (tokens: readonly OperatorToken[], text: string): OperatorToken | undefined =>
  tokens.filter(({ token }) => isSameSecret(token, text))[0];

/** Returns the token of an `Authorization: Bearer` header; an empty text, which is no token, for any other header. */
export const bearerTokenOf = (header: string | undefined): string => /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? '';

/** Of any token, in characters. */
export const tokenMinLength = 24;

export const operatorNameMaxLength = 60;

/** How the names of teams in the log begin, unlike those of operators: each hold binds by who made it. */
export const teamNamePrefix = 'team of ';

/** Line separators are not control characters, but some viewers start a new line of a log at them. */
export const operatorNamePattern = new RegExp(`^(?!${teamNamePrefix})[^\\p{C}\\p{Zl}\\p{Zp}]+$`, 'u');

/**
 * Parses `OPERATOR_TOKENS`: `name:token` pairs, separated by commas or line ends; none in an empty text.
 *
 * @throws Error identifying the malformed pair by its position, because any part of it may be a secret
 */
export function parseOperatorTokens(text: string): readonly OperatorToken[] {
  if (text.trim() === '') return [];
  const tokens = text
    .trim()
    .split(/,\r?\n|,|\r?\n/)
    .map((pair, index) => {
      const [, name = '', token = ''] = /^([^:]*):(.*)$/s.exec(pair.trim()) ?? [];
      const isNamed = name.length <= operatorNameMaxLength && name.trim() === name && operatorNamePattern.test(name);
      if (isNamed && /^[!-~]+$/.test(token) && token.length >= tokenMinLength) return { name, token };
      throw new Error(
        `must be name:token pairs, with names of 1 to ${operatorNameMaxLength} characters and tokens of ${tokenMinLength} or more; pair ${index + 1} is not`,
      );
    });
  for (const part of ['name', 'token'] as const)
    if (new Set(tokens.map((each) => each[part])).size < tokens.length) throw new Error(`has the same ${part} twice`);
  return tokens;
}

/** Returns all tokens of operators: those of `OPERATOR_TOKENS`, and that of `OPERATOR_TOKEN`. */
export const allOperatorTokens = (
  unnamed: string | undefined,
  named: readonly OperatorToken[],
): readonly OperatorToken[] => [...named, ...(unnamed ? [{ token: unnamed }] : [])];

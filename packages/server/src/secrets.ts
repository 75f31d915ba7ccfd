import { readFileSync } from 'node:fs';

type Variables = Readonly<Record<string, string | undefined>>;

/** What is wrong with a variable; the value is never part of it. */
export interface SecretProblem {
  readonly name: string;
  readonly message: string;
}

/** Words of examples and templates; in a random text of 64 letters one of six is as good as never. */
const words =
  /changeme|change-me|secret|password|passwort|example|default|insecure|placeholder|qwerty|letmein|daybook/i;

/** A random text of 24 hexadecimal digits has about 12 different ones. */
const fewestCharacters = 8;

/** Whether a text is something over and over, such as `aaaa` or `0123401234`. */
const isRepeated = (text: string) => (text + text).indexOf(text, 1) < text.length || /(.{4,16}?)\1{2,}/s.test(text);

/** How much of a text are letters or digits in their order, forward or backward; from 0 to 1. */
function shareInOrder(text: string): number {
  const codes = [...text].map((letter) => letter.charCodeAt(0));
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) === 1);
  return steps.length / text.length;
}

/** Why somebody could guess a secret; `undefined` where nothing speaks for it. */
export function weaknessOf(secret: string): string | undefined {
  if (new Set(secret).size < fewestCharacters) return 'consists of too few different characters';
  if (isRepeated(secret)) return 'repeats itself';
  if (words.test(secret)) return 'contains a word of examples';
  if (shareInOrder(secret) > 0.5) return 'is a sequence';
  return undefined;
}

/**
 * Takes secrets from files: where `NAME_FILE` is set, `NAME` becomes what the file has, without blanks around it.
 *
 * @param names the variables that may come from a file
 */
export function readSecretFiles(variables: Variables, names: readonly string[]) {
  const read: Record<string, string | undefined> = { ...variables };
  const problems: SecretProblem[] = [];
  for (const name of names) {
    const file = variables[`${name}_FILE`];
    if (!file) continue;
    if (variables[name]) {
      problems.push({ name, message: `and ${name}_FILE are both set; set one of them` });
      continue;
    }
    try {
      read[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push({ name: `${name}_FILE`, message: `names a file that cannot be read (${code})` });
    }
  }
  return { variables: read, problems };
}

/**
 * What a server must not be started with where `NODE_ENV` is `production`: secrets that are missing, or that somebody
 * could guess.
 *
 * @param secrets names, each with what it holds: several secrets where it is a list
 * @param command makes a good one, for who has to
 */
export function weakSecrets(
  variables: Variables,
  secrets: Readonly<Record<string, readonly string[]>>,
  command = 'openssl rand -hex 32',
) {
  if (variables.NODE_ENV !== 'production') return [];
  return Object.entries(secrets).flatMap(([name, values]): SecretProblem[] => {
    if (values.length === 0) return [{ name, message: 'is required in production' }];
    const weakness = values.map(weaknessOf).find(Boolean);
    return weakness ? [{ name, message: `${weakness}; make one with: ${command}` }] : [];
  });
}

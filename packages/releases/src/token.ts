import { readFileSync } from 'node:fs';
import { CommandError } from '@daybook/server/command-line';

export function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`The token can't be read: ${(error as Error).message}.`);
  }
}

/** Returns the token of `--token-file`, `RELEASES_TOKEN_FILE`, `RELEASES_TOKEN` or `otherFile`. @throws CommandError */
export function readToken(
  tokenFile: string | undefined,
  { RELEASES_TOKEN_FILE, RELEASES_TOKEN }: Readonly<Record<string, string | undefined>>,
  otherFile?: string,
): string {
  const file = tokenFile ?? (RELEASES_TOKEN_FILE || (RELEASES_TOKEN ? undefined : otherFile));
  const token = file === undefined ? (RELEASES_TOKEN ?? '').trim() : readTokenFile(file);
  if (/^[!-~]{1,200}$/.test(token)) return token;
  throw new CommandError(
    file === undefined && token === ''
      ? 'A token is needed: --token-file <file>, RELEASES_TOKEN_FILE or RELEASES_TOKEN.'
      : `${file ?? 'RELEASES_TOKEN'} holds no token: it must be one line.`,
  );
}

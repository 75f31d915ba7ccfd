import { hash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { remotes } from './workspaces.ts';

export type Tokens = ReturnType<typeof openTokens>;

/** Returns the file of a remote's token in a folder, by default that of the operator. */
export const tokenFileIn = (folder: string, name = 'operator'): string => path.join(folder, 'tokens', name);

function readOrMake(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const token = randomBytes(24).toString('base64url');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}

/** Opens the tokens in a folder, and makes missing ones; other lines of its `tokens.txt` are kept. */
export function openTokens(folder: string, names: readonly string[] = remotes) {
  const tokenOf = (name: string) => readOrMake(tokenFileIn(folder, name));
  const operatorToken = tokenOf('operator');
  const lineOf = (name: string, of: string, token: string) => `${name} ${of} ${hash('sha256', token)}`;
  const lines = [
    lineOf('operator', '*', operatorToken),
    ...names.map((remote) => lineOf(`${remote.slice(0, 55)}-team`, remote, tokenOf(remote))),
  ];
  const file = path.join(folder, 'tokens.txt');
  const text = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
  const missing = lines.filter((line) => !text.split('\n').includes(line));
  if (missing.length > 0) {
    // A running server reads it again.
    writeFileSync(`${file}.new`, `${[text, ...missing].filter(Boolean).join('\n')}\n`);
    renameSync(`${file}.new`, file);
  }
  return { file, tokenOf, operatorToken };
}

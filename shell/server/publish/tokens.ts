import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { remoteNameSchema } from '@daybook/contract/release';

export interface TokenHolder {
  readonly name: string;
  /** `*` for all: an operator. */
  readonly remotes: readonly string[] | '*';
}

interface Token extends TokenHolder {
  readonly sha256: string;
}

/** Parses lines such as `legal-ci mf-legal,mf-offers 9f86…` and `ann * 5e88…`. @throws Error naming the line */
export function parseTokens(text: string): readonly Token[] {
  const lines = text.split('\n').map((line, index) => ({ words: line.trim().split(/\s+/), number: index + 1 }));
  const tokens = lines
    .filter(({ words: [first = ''] }) => first !== '' && !first.startsWith('#'))
    .map(({ words: [name = '', remotes = '', sha256 = '', ...rest], number }) => {
      const names = remotes.split(',');
      const isValid =
        /^[\w.@-]{1,60}$/.test(name) &&
        (remotes === '*' || names.every((each) => remoteNameSchema.safeParse(each).success)) &&
        /^[0-9a-f]{64}$/i.test(sha256) &&
        rest.length === 0;
      if (!isValid)
        throw new Error(`Line ${number} is not a name, remotes or *, and a SHA-256, such as: legal-ci mf-legal 9f86…`);
      return { name, remotes: remotes === '*' ? remotes : names, sha256: sha256.toLowerCase() } as const;
    });
  return tokens;
}

/** The tokens in a file, which is read again when it changes. */
export class Tokens {
  readonly #file: string | undefined;
  readonly #more: readonly string[];
  #seen = '';
  #problem = '';
  #tokens: readonly Token[] = [];
  #remotes: readonly string[];

  /** `more` are remotes without a token. @throws Error naming what is wrong with the file */
  constructor(file: string | undefined, more: readonly string[] = []) {
    this.#file = file;
    this.#more = more;
    this.#remotes = more;
    this.#read();
  }

  /** Reads the file again if it has changed; one that can't be read is reported, and the former tokens stay. */
  refresh(report: (problem: string) => void): void {
    try {
      this.#read();
      this.#problem = '';
    } catch (error) {
      const problem = `TOKENS_FILE can't be read again: ${(error as Error).message}`;
      if (problem !== this.#problem) report(problem);
      this.#problem = problem;
    }
  }

  get remotes(): readonly string[] {
    return this.#remotes;
  }

  find(token: string): TokenHolder | undefined {
    const sha256 = hash('sha256', token);
    return this.#tokens.find((each) => each.sha256 === sha256);
  }

  #read(): void {
    if (!this.#file) return;
    const { ino, size, mtimeMs } = statSync(this.#file);
    const seen = `${ino} ${size} ${mtimeMs}`;
    if (seen === this.#seen) return;
    this.#seen = seen;
    const tokens = parseTokens(readFileSync(this.#file, 'utf8'));
    // An editor may be writing it.
    if (tokens.length === 0) throw new Error('It has no token.');
    this.#tokens = tokens;
    const named = this.#tokens.flatMap(({ remotes }) => (remotes === '*' ? [] : remotes));
    this.#remotes = [...new Set([...this.#more, ...named])].sort();
  }
}

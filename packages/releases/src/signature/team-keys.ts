import { readFileSync } from 'node:fs';
import { remoteNameSchema } from '@daybook/contract/release';
import { publicKeySchema } from './signature.ts';

/** Names that the registry and the API use themselves. */
const reservedNames = ['shell', 'log', 'sign-ins'];

/** In ms: how often the file is read again at most. */
const interval = 1_000;

type Keys = ReadonlyMap<string, readonly string[]>;

/**
 * Parses `TEAM_KEYS`: pairs of `<remote>:<public key>`, separated by commas or lines; several of a remote during a rotation.
 *
 * @throws Error naming what is wrong, without quoting: it may be a private key
 */
export function parseTeamKeys(text: string): Keys {
  const pairs = text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => item.split(/:\s*/));
  if (pairs.length === 0) throw new Error('names no remote; write <remote>:<public key>');
  const keys = new Map<string, readonly string[]>();
  for (const [index, [name = '', key = '', ...rest]] of pairs.entries()) {
    const isPair = rest.length === 0 && remoteNameSchema.safeParse(name).success;
    if (!isPair || !publicKeySchema.safeParse(key).success)
      throw new Error(`must be pairs of <remote>:<public key>, with keys of 43 characters; pair ${index + 1} is not`);
    if (reservedNames.includes(name)) throw new Error(`names a remote ${name}, which is reserved`);
    keys.set(name, [...new Set([...(keys.get(name) ?? []), key])]);
  }
  return keys;
}

/**
 * The remotes of a site, and the public keys of their teams. Read from a file, they change when the file does: a new remote
 * and a new key need no restart. So both are asked each time, and never copied.
 */
export class TeamKeys {
  readonly #file: string | undefined;
  #text: string;
  #keys: Keys;
  #remotes: readonly string[];
  #checkedAt = performance.now();
  #reported: string | undefined;

  /**
   * @param file where the text is from; `undefined` for keys that do not change
   * @throws Error naming what is wrong with the text
   */
  constructor(text: string, file?: string) {
    this.#file = file;
    this.#text = text.trim();
    this.#keys = parseTeamKeys(text);
    this.#remotes = [...this.#keys.keys()];
  }

  /** Returns the names of the remotes; the same object as long as they stay the same. */
  remotes(): readonly string[] {
    return this.#remotes;
  }

  /** Returns the public keys of a remote's team; none for an unknown remote. */
  keysOf(remote: string): readonly string[] {
    return this.#keys.get(remote) ?? [];
  }

  /**
   * Reads the file again if it has changed, at most once a second. Keeps the last good content.
   *
   * @param report called once for each content that can't be used
   */
  refresh(report: (problem: string) => void): void {
    const now = performance.now();
    if (this.#file === undefined || now - this.#checkedAt < interval) return;
    this.#checkedAt = now;
    try {
      const text = readFileSync(this.#file, 'utf8').trim();
      if (text !== this.#text) {
        this.#keys = parseTeamKeys(text);
        this.#text = text;
        this.#remotes = [...this.#keys.keys()];
      }
      this.#reported = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reported) report(`TEAM_KEYS_FILE ${message}. The last good keys stay.`);
      this.#reported = message;
    }
  }
}

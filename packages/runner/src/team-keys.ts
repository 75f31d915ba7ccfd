import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReleaseSigner } from '@daybook/releases';
import { openSigner } from '@daybook/releases/publish';
import { remotes } from './workspaces.ts';

/** The key pairs of the teams of a site. */
export interface TeamKeyPairs {
  /** The shell server's `TEAM_KEYS_FILE`: the remotes of the site, each with its public key. */
  readonly file: string;
  /** Returns what signs the releases and requests of a remote. */
  readonly signerOf: (remote: string) => ReleaseSigner;
}

/** Returns the file of a remote's private key in a folder of keys. */
export const keyFileIn = (folder: string, remote: string): string => path.join(folder, 'keys', `${remote}.pem`);

/**
 * Opens the keys in a folder, and makes those that are missing: `keys/<remote>.pem`, and `team-keys` with the public
 * ones. Entries that others wrote there stay, such as those of a rotation.
 *
 * @param onCreated called with each private key's file that was made
 */
export function openTeamKeys(
  folder: string,
  names: readonly string[] = remotes,
  onCreated: (file: string, remote: string) => void = () => undefined,
): TeamKeyPairs {
  const file = path.join(folder, 'team-keys');
  const signerOf = (remote: string) =>
    openSigner({}, keyFileIn(folder, remote), (created) => onCreated(created, remote));
  const text = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : '';
  const listed = text.replaceAll(/:\s+/g, ':').split(/[\s,]+/);
  const missing = names.map((name) => `${name}:${signerOf(name).publicKey}`).filter((entry) => !listed.includes(entry));
  if (missing.length > 0) {
    mkdirSync(folder, { recursive: true });
    // Renamed into place: a running shell server reads it again, and must never see half of it.
    writeFileSync(`${file}.new`, `${[text, ...missing].filter(Boolean).join('\n')}\n`);
    renameSync(`${file}.new`, file);
  }
  return { file, signerOf };
}

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createKeyFile, publicKeySchema, type ReleaseSigner, readKeyFile } from '@daybook/releases';
import { CommandError, UsageError } from '@daybook/server';
import { callingFolder, dataFolder } from '../data-folder.ts';

/** What signs a release: a private key in a file, or a command, such as the client of a KMS or HSM. */
export interface SigningOptions {
  readonly keyFile?: string;
  readonly signWith?: string;
  /** Public key of the command. */
  readonly publicKey?: string;
}

/** A command may wait for a person to touch a device; in ms. */
const commandTimeout = 60_000;

/**
 * Completes the options from the environment; an option replaces the variables of both ways.
 *
 * @param folder resolves the name of the key file
 * @throws UsageError if both ways are chosen, or the command has no valid public key
 */
export function resolveSigning(
  options: SigningOptions,
  { RELEASE_KEY_FILE, RELEASE_SIGN_COMMAND, RELEASE_PUBLIC_KEY }: NodeJS.ProcessEnv,
  folder: string,
): SigningOptions {
  const isChosen = options.keyFile !== undefined || options.signWith !== undefined;
  const { keyFile, signWith } = isChosen ? options : { keyFile: RELEASE_KEY_FILE, signWith: RELEASE_SIGN_COMMAND };
  const publicKey = options.publicKey ?? RELEASE_PUBLIC_KEY;
  if (keyFile && signWith)
    throw new UsageError('A release is signed with a key file or with a command, not with both.');
  if (signWith) {
    const parsed = publicKeySchema.safeParse(publicKey);
    if (parsed.success) return { signWith, publicKey: parsed.data };
    throw new UsageError(
      'A command that signs needs its public key: --public-key, or RELEASE_PUBLIC_KEY; 43 base64url characters.',
    );
  }
  return keyFile ? { keyFile: path.resolve(folder, keyFile) } : {};
}

/**
 * Signs with a shell command, which reads the text from standard input and prints the signature in base64 or base64url.
 * The input is a file: Node's pipes are sockets, which can't be opened as `/dev/stdin`, and openssl needs its size.
 */
function commandSigner(command: string, publicKey: string): ReleaseSigner {
  return {
    publicKey,
    sign(text) {
      const folder = mkdtempSync(path.join(tmpdir(), 'daybook-signing-'));
      const file = path.join(folder, 'input');
      writeFileSync(file, text);
      const input = openSync(file, 'r');
      const { status, signal, stdout } = spawnSync(command, {
        shell: true,
        stdio: [input, 'pipe', 'inherit'],
        timeout: commandTimeout,
        cwd: callingFolder,
      });
      closeSync(input);
      rmSync(folder, { recursive: true });
      if (status !== 0) throw new CommandError(`The signing command failed (${status ?? signal}): ${command}`);
      const signature = Buffer.from(String(stdout).trim(), 'base64');
      if (signature.length === 64) return signature;
      throw new CommandError(
        `The signing command printed ${signature.length} bytes; an Ed25519 signature has 64, in base64 or base64url.`,
      );
    },
  };
}

/**
 * Returns what signs the releases of a remote. Without options, that is the key in `.data/keys`, which is made if it is
 * missing; a file that options name is made only if `create` is set.
 *
 * @param report receives a line about a new key
 * @throws CommandError if the key can't be read
 */
export function openSigner(
  remote: string,
  { keyFile, signWith, publicKey = '' }: SigningOptions,
  report: (line: string) => void,
  create = keyFile === undefined,
): ReleaseSigner {
  if (signWith) return commandSigner(signWith, publicKey);
  const file = keyFile ?? path.join(dataFolder, 'keys', `${remote}.pem`);
  try {
    if (create && !existsSync(file)) {
      createKeyFile(file);
      report(`Made a key pair that signs the releases of ${remote}: ${path.relative(callingFolder, file)}`);
    }
    return readKeyFile(file);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandError, UsageError } from '@daybook/server/command-line';
import { ReleaseRejection } from '../manifest/rejection.ts';
import { createKeyFile, readKeyFile } from '../signature/key-file.ts';
import { publicKeySchema, type ReleaseSigner, signRelease } from '../signature/signature.ts';
import type { ReleaseBuild } from './release-build.ts';

/** What signs a release: a private key in a file, or a command, such as the client of a KMS or HSM. */
export interface SigningOptions {
  readonly keyFile?: string;
  readonly signWith?: string;
  /** Public key of the command. */
  readonly publicKey?: string;
  /** Folder that the command runs in. */
  readonly folder?: string;
  /** Environment of the command: all of the person's, because it may be the client of any KMS. */
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
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
  environment: Readonly<NodeJS.ProcessEnv>,
  folder: string,
): SigningOptions {
  const { RELEASE_KEY_FILE, RELEASE_SIGN_COMMAND, RELEASE_PUBLIC_KEY } = environment;
  const isChosen = options.keyFile !== undefined || options.signWith !== undefined;
  const { keyFile, signWith } = isChosen ? options : { keyFile: RELEASE_KEY_FILE, signWith: RELEASE_SIGN_COMMAND };
  const publicKey = options.publicKey ?? RELEASE_PUBLIC_KEY;
  if (keyFile && signWith)
    throw new UsageError('A release is signed with a key file or with a command, not with both.');
  if (signWith) {
    const parsed = publicKeySchema.safeParse(publicKey);
    if (parsed.success) return { signWith, publicKey: parsed.data, folder, environment };
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
function signWithCommand(command: string, { folder: cwd, environment: env }: SigningOptions, text: string): Uint8Array {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-signing-'));
  const file = path.join(folder, 'input');
  writeFileSync(file, text);
  const input = openSync(file, 'r');
  const { status, signal, stdout } = spawnSync(command, {
    shell: true,
    stdio: [input, 'pipe', 'inherit'],
    timeout: commandTimeout,
    cwd,
    env,
  });
  closeSync(input);
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new CommandError(`The signing command failed (${status ?? signal}): ${command}`);
  const signature = Buffer.from(String(stdout).trim(), 'base64');
  if (signature.length === 64) return signature;
  throw new CommandError(
    `The signing command printed ${signature.length} bytes; an Ed25519 signature has 64, in base64 or base64url.`,
  );
}

/**
 * Returns what signs the releases of a remote. Without options, that is its own key file, which is made if it is missing;
 * a file that options name is made only if `create` is set.
 *
 * @param onCreated called with a file that was made
 * @throws CommandError if the key can't be read
 */
export function openSigner(
  options: SigningOptions,
  ownKeyFile: string,
  onCreated: (file: string) => void,
  create = options.keyFile === undefined,
): ReleaseSigner {
  const { keyFile, signWith, publicKey = '' } = options;
  if (signWith) return { publicKey, sign: (text) => signWithCommand(signWith, options, text) };
  const file = keyFile ?? ownKeyFile;
  try {
    if (create && !existsSync(file)) {
      createKeyFile(file);
      onCreated(file);
    }
    return readKeyFile(file);
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/**
 * Signs a build.
 *
 * @returns the signature, which is sent with it
 * @throws CommandError if a command's signature does not match its public key
 */
export function signBuild({ release, text }: ReleaseBuild, signer: ReleaseSigner): Promise<string> {
  return signRelease(text, release.name, signer).catch((error: Error) => {
    throw error instanceof ReleaseRejection ? new CommandError(`Signing failed: ${error.message}.`) : error;
  });
}

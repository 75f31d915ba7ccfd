import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError } from '@daybook/server/command-line';
import { signerOf } from '../signature/key-file.ts';
import type { ReleaseSigner } from '../signature/signature.ts';
import { signRelease } from '../signature/signature.ts';
import { type ReleaseBuild, readReleaseBuild } from './release-build.ts';
import { SiteClient, SiteError } from './site-client.ts';

/** In ms between attempts while the site is not ready. */
const [minPause, maxPause] = [500, 15_000];

/** What the image of a remote publishes, and how. */
export interface ImageRelease {
  /** Folder of the built release. */
  readonly folder: string;
  /** URL of the site's shell server. */
  readonly site: string;
  /** The site's `PUBLIC_URL`; by default the same. */
  readonly publicUrl?: string | undefined;
  /** File with the private key of the team; empty if the team publishes from elsewhere. */
  readonly keyFile: string;
}

/** The site is not ready, too busy, or has changed meanwhile: another attempt may succeed. */
const isTemporary = ({ status = 503 }: SiteError) => status === 409 || status === 429 || status >= 500;

/**
 * Publishes the release of an image, as soon as the site is ready. A version that the site had before changes nothing.
 *
 * @param report receives lines: what visitors get now, and once each why the site is not ready
 * @param pause waits for a number of ms
 * @throws CommandError if the site rejects the release, or the key can't be used
 */
export async function publishImage(
  { folder, site, publicUrl, keyFile }: ImageRelease,
  report: (line: string) => void,
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<void> {
  const build = readReleaseBuild(folder);
  const signer = readKey(keyFile);
  if (!signer) return report(`There is no key of ${build.release.name}: its team publishes from elsewhere.`);
  let reported = '';
  for (let ms = minPause; ; ms = Math.min(ms * 2, maxPause)) {
    try {
      return (await publishOnce(build, signer, site, publicUrl)).forEach(report);
    } catch (error) {
      if (!(error instanceof SiteError && isTemporary(error))) throw error;
      if (error.message !== reported) report(`${error.message} Trying again.`);
      reported = error.message;
    }
    await pause(ms);
  }
}

/** Signed anew for each attempt: requests are valid for minutes. */
async function publishOnce(
  build: ReleaseBuild,
  signer: ReleaseSigner,
  site: string,
  publicUrl: string | undefined,
): Promise<readonly string[]> {
  const signed = await signRelease(build.text, build.release.name, signer);
  const { body } = await new SiteClient(site, { signer }, publicUrl && new URL(publicUrl).origin).publish(
    build,
    signed,
    '',
    () => undefined,
  );
  return body.lines ?? [];
}

/** Mounted secrets are readable by all users of their container, unlike key files. */
function readKey(file: string): ReleaseSigner | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`The private key can't be read: ${(error as Error).message}.`);
  }
  const signer = signerOf(text);
  if (!signer && text !== '') throw new CommandError(`${file} holds no private Ed25519 key in PEM.`);
  return signer;
}

import type { Release } from '@daybook/contract/release';
import { type ReleaseSigner, signRelease } from '@daybook/releases';
import { fileEntry } from '@daybook/runner/releases';
import { type SiteResponse, send } from '@daybook/testing/send';
import { signRequest } from '../../../packages/releases/src/signature/request-signature.ts';

/** The parts of a sent release, in order. */
export type Parts = readonly (readonly [name: string, content: string | Buffer])[];

const boundary = 'the-boundary-of-a-test';
export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** Returns the body of a request with these parts. */
export function multipartBody(parts: Parts): Buffer {
  const chunks = parts.flatMap(([name, content]) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** `PUBLIC_URL` of a test's site: the default of an environment without one. */
export const publicUrl = 'http://localhost:8080';

/** Returns a release whose files have this content, with its manifest as text. */
export function described(release: Release, contents: Readonly<Record<string, string | Buffer>>) {
  const files = Object.entries(contents).map(([name, content]) => [name, fileEntry(Buffer.from(content))]);
  const text = JSON.stringify({ ...release, files: Object.fromEntries(files) });
  return { text, parts: Object.entries(contents) as Parts };
}

interface Pushed {
  readonly text: string;
  /** What the signature is of; by default the text. */
  readonly signed?: string;
  readonly parts: Parts;
  readonly signer: ReleaseSigner;
  readonly remote?: string;
  readonly query?: string;
  readonly now?: number;
  /** The site's public origin. */
  readonly site?: string;
}

/** Returns path, headers and parts of a team's request that pushes a release. */
export async function signedPush({
  text,
  signed = text,
  parts,
  signer,
  remote = 'mf-legal',
  query = '',
  now,
  site = publicUrl,
}: Pushed) {
  const path = `/_releases/api/${remote}/releases${query}`;
  const token = await signRequest({ site, method: 'POST', path, body: text }, remote, signer, now);
  const signature = await signRelease(signed, remote, signer);
  return { path, token, parts: [...parts, ['release.json', text], ['release.jws', signature]] as Parts };
}

/** Sends parts with a token. */
export const sendParts = (url: string, path: string, token: string, parts: Parts): Promise<SiteResponse> =>
  send(url, path, {
    method: 'POST',
    body: multipartBody(parts),
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': multipartType,
      'Content-Length': multipartBody(parts).length,
    },
  });

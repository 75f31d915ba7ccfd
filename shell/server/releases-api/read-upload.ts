import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { releaseFileName } from '@daybook/contract/release';
import { ReleaseRejection, releaseLimits, signatureFileName } from '@daybook/releases';
import { connectionLimits, extendRequest } from '@daybook/server';
// Its types of a request, for those who import this file alone.
import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { UploadError } from './uploads.ts';

/** A sent release: each part is a file, and two of them its manifest, `release.json`, and its signature, `release.jws`. */
interface ReceivedRelease {
  readonly manifest: string;
  readonly signature: string;
  /** Where each other part is stored, by its name. */
  readonly files: ReadonlyMap<string, string>;
}

/** Bytes of a signature: a JWT of three parts. */
const maxSignature = 3_000;

/** Bytes of a body: its files, its manifest and signature, and the boundary and headers of each part. */
export const maxUpload = releaseLimits.size + releaseLimits.manifest + maxSignature + 500 * releaseLimits.files;

const limits = {
  fileSize: releaseLimits.fileSize,
  files: releaseLimits.files + 2,
  parts: releaseLimits.files + 2,
  fields: 0,
  fieldNameSize: releaseLimits.name,
  headerPairs: 10,
};

/** Returns the size of a body in bytes. @throws UploadError if it is unknown or too large */
export function lengthOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(length)) throw new UploadError(411, 'A release is sent with its Content-Length.');
  if (length > maxUpload)
    throw new UploadError(413, `The release has ${length} bytes; at most ${maxUpload} are accepted.`);
  return length;
}

/**
 * In ms, and in bytes per ms: how long a body may take. Longer than other requests, since a large release on a slow line needs
 * it; only after its sender was identified, who then holds uploads of one remote only.
 */
export const uploadTime: { base: number; rate: number } = { base: connectionLimits.request, rate: 125 };

/**
 * Aborts when the client is gone before all of its body was read, or sends it too slowly. It may be gone already, while its
 * token was checked: then nothing would ever end the parts of the body.
 */
export function abortedBy({ raw }: FastifyRequest, length: number): AbortSignal {
  const aborted = new AbortController();
  const gone = () => aborted.abort(new UploadError(400, 'The client was gone before its release had come.'));
  if (raw.destroyed) {
    // No event would end the timers.
    gone();
    return aborted.signal;
  }
  const { base, rate } = uploadTime;
  const time = base + length / rate;
  extendRequest(raw, time);
  const message = `The release has not come within ${Math.round(time / 1000)} s: a line needs ${(8 * rate) / 1000} Mbit/s for one of ${length} bytes.`;
  const timer = setTimeout(() => aborted.abort(new UploadError(408, message)), time);
  raw.once('end', () => clearTimeout(timer));
  raw.once('close', () => {
    clearTimeout(timer);
    if (!raw.readableEnded) gone();
  });
  return aborted.signal;
}

/**
 * Reads the parts of a release in any order into a folder, under names of this server.
 *
 * @throws ReleaseRejection naming the part that is not right; any error if the request ends early
 */
export async function readUpload(
  request: FastifyRequest,
  folder: string,
  signal: AbortSignal,
): Promise<ReceivedRelease> {
  signal.throwIfAborted();
  const files = new Map<string, string>();
  // Ends the wait for a part that does not come, too.
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  aborted.catch(() => undefined);
  const parts = request.parts({ limits });
  try {
    for (;;) {
      const { value: part, done } = await Promise.race([parts.next(), aborted]);
      if (done) break;
      const name = part.fieldname;
      if (part.type !== 'file') throw new ReleaseRejection('malformed', `the part ${name} is not sent as a file`);
      if (files.has(name)) throw new ReleaseRejection('malformed', `there are two parts ${name}`);
      const place = path.join(folder, String(files.size));
      files.set(name, place);
      await pipeline(part.file, createWriteStream(place, { flags: 'wx' }), { signal });
      // A known fault of parsers: a part that ends at the limit without an error.
      if (part.file.truncated) throw tooLarge(name);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw (error as NodeJS.ErrnoException).code === 'FST_REQ_FILE_TOO_LARGE'
      ? tooLarge([...files.keys()].at(-1))
      : error;
  } finally {
    // What is left must not keep the client from reading the response.
    request.raw.unpipe();
    request.raw.resume();
  }
  signal.throwIfAborted();
  const take = async (name: string, limit: number) => {
    const place = files.get(name);
    if (place === undefined) throw new ReleaseRejection('malformed', `its part ${name} is missing`);
    files.delete(name);
    return readPart(place, name, limit);
  };
  const manifest = await take(releaseFileName, releaseLimits.manifest);
  return { manifest, signature: await take(signatureFileName, maxSignature), files };
}

const tooLarge = (name = 'a part') =>
  new ReleaseRejection('too-large', `the part ${name} has more than ${releaseLimits.fileSize} bytes`);

/** With a byte order mark if it has one: JSON rejects that. */
async function readPart(place: string, name: string, limit: number): Promise<string> {
  const content = await readFile(place);
  if (content.length > limit)
    throw new ReleaseRejection('too-large', `${name} has ${content.length} bytes; at most ${limit} are accepted`);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
}

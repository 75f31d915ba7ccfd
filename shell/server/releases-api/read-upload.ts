import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { maxDescription, ReleaseRejection, releaseLimits } from '@daybook/releases';
import type { FastifyRequest } from 'fastify';

/** A sent release: each part is a file; one of them, `release.jws` or `release.json`, describes the others. */
interface Upload {
  /** The content of `release.jws` or `release.json`. */
  readonly description: { readonly name: 'release.jws' | 'release.json'; readonly text: string };
  /** Where each other part is stored, by its name. */
  readonly files: ReadonlyMap<string, string>;
}

const descriptions = ['release.jws', 'release.json'] as const;

/** Bytes of a body: its files, its description, and the boundary and headers of each part. */
export const maxUpload = releaseLimits.size + maxDescription('release.jws') + 500 * releaseLimits.files;

const limits = {
  fileSize: releaseLimits.fileSize,
  files: releaseLimits.files + 1,
  parts: releaseLimits.files + 1,
  fields: 0,
  fieldNameSize: releaseLimits.name,
  headerPairs: 10,
};

/**
 * Reads the parts of a release in any order into a folder, under names of this server.
 *
 * @throws ReleaseRejection naming the part that is not right; any error if the request ends early
 */
export async function readUpload(request: FastifyRequest, folder: string, signal: AbortSignal): Promise<Upload> {
  signal.throwIfAborted();
  const files = new Map<string, string>();
  try {
    for await (const part of request.parts({ limits })) {
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
    throw (error as NodeJS.ErrnoException).code === 'FST_REQ_FILE_TOO_LARGE'
      ? tooLarge([...files.keys()].at(-1))
      : error;
  } finally {
    // What is left must not keep the client from reading the response.
    request.raw.unpipe();
    request.raw.resume();
  }
  signal.throwIfAborted();
  const [name, other] = descriptions.filter((each) => files.has(each));
  if (!name || other)
    throw new ReleaseRejection('malformed', 'a release has one part release.jws, or release.json if it is not signed');
  const text = await readDescription(files.get(name) ?? '', name);
  files.delete(name);
  return { description: { name, text }, files };
}

const tooLarge = (name = 'a part') =>
  new ReleaseRejection('too-large', `the part ${name} has more than ${releaseLimits.fileSize} bytes`);

async function readDescription(place: string, name: Upload['description']['name']): Promise<string> {
  const content = await readFile(place);
  if (content.length > maxDescription(name))
    throw new ReleaseRejection(
      'too-large',
      `${name} has ${content.length} bytes; at most ${maxDescription(name)} are accepted`,
    );
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
}

import type { SiteRegistry, Upload } from '../registry/site-registry.ts';
import { RequestError } from '../request-error.ts';

/**
 * What a site accepts of a remote within a period: each upload is written to the database's WAL, which backups contain. The
 * day leaves room for a container whose release is rejected, and which tries again every five minutes.
 */
export const uploadLimits = [
  { period: 'an hour', length: 60 * 60_000, uploads: 60, bytes: 300_000_000 },
  { period: 'a day', length: 24 * 60 * 60_000, uploads: 500, bytes: 1_500_000_000 },
] as const;

const longest = Math.max(...uploadLimits.map(({ length }) => length));

/** Uploads of one sender that a server receives at once: a slow or hostile team delays its own only. */
const maxInProgress = 2;

/** Thrown for an upload that is not received. */
export class UploadError extends RequestError {
  override readonly name = 'UploadError';
}

/**
 * Returns the limit that one more upload would exceed, and after how many ms it fits.
 *
 * @param recent the oldest first
 * @param bytes of the upload
 */
export function exceededLimit(recent: readonly Upload[], bytes: number) {
  const exceeded = uploadLimits.flatMap(({ period, length, uploads, bytes: maxBytes }) => {
    const counted = recent.filter(({ age }) => age < length);
    // What has to be counted no more, so that it fits.
    const tooMany = counted.at(-uploads);
    let sum = bytes;
    const tooLarge = counted.findLast((each) => {
      sum += each.bytes;
      return sum > maxBytes;
    });
    return [
      ...(tooMany ? [{ limit: `${uploads} releases ${period}`, wait: length - tooMany.age }] : []),
      ...(tooLarge ? [{ limit: `${maxBytes / 1_000_000} MB ${period}`, wait: length - tooLarge.age }] : []),
    ];
  });
  return exceeded.toSorted((one, other) => other.wait - one.wait)[0];
}

/** Admits uploads to a server, within the limits of their remote. */
export class Uploads {
  readonly #registry: Pick<SiteRegistry, 'uploads' | 'addUpload'>;
  readonly #inProgress = new Map<string, number>();

  constructor(registry: Pick<SiteRegistry, 'uploads' | 'addUpload'>) {
    this.#registry = registry;
  }

  /**
   * Counts an upload of a team, and receives it. Those of operators are not counted, and have slots of their own: a hostile
   * team must not keep them from publishing its remote.
   *
   * @throws UploadError naming the limit that it exceeds; RegistryError
   */
  async admit<Result>(remote: string, isTeam: boolean, bytes: number, receive: () => Promise<Result>): Promise<Result> {
    const sender = `${isTeam ? 'team' : 'operators'} of ${remote}`;
    const inProgress = this.#inProgress.get(sender) ?? 0;
    if (inProgress >= maxInProgress)
      throw new UploadError(429, `This server receives ${maxInProgress} releases of ${remote} at once.`, 5);
    this.#inProgress.set(sender, inProgress + 1);
    try {
      if (isTeam) await this.#count(remote, bytes);
      return await receive();
    } finally {
      this.#inProgress.set(sender, (this.#inProgress.get(sender) ?? 1) - 1);
    }
  }

  async #count(remote: string, bytes: number): Promise<void> {
    const exceeded = exceededLimit(await this.#registry.uploads(remote), bytes);
    if (!exceeded) return this.#registry.addUpload(remote, bytes, longest);
    const { limit, wait } = exceeded;
    const again = new Date(Date.now() + wait).toISOString();
    const message = `${remote} may send ${limit}, and has; this one can be sent again at ${again}. Until then, releases that are stored can be activated.`;
    throw new UploadError(429, message, Math.ceil(wait / 1000));
  }
}

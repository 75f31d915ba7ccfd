import { type RegisteredRemote, type RemoteIndex, remoteIndexUrl } from '@daybook/contract/release';
import { isTimeout, withTimeout } from './load-timeout.ts';

/** Minimum interval in ms between polls for new releases by a page that stays open. */
const pollInterval = 60_000;

/** Timeout in ms of the wait for newer releases before a page loads from a known one. */
const newestTimeout = 5_000;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRelease = (value: unknown) =>
  isRecord(value) &&
  typeof value.version === 'string' &&
  typeof value.entry === 'string' &&
  (value.integrity === undefined ||
    (isRecord(value.integrity) && Object.values(value.integrity).every((text) => typeof text === 'string')));

const isRemote = (value: unknown): value is RegisteredRemote =>
  isRecord(value) &&
  isRelease(value) &&
  typeof value.name === 'string' &&
  Array.isArray(value.routes) &&
  value.routes.every((route) => isRecord(route) && typeof route.path === 'string') &&
  (value.previous === undefined || isRelease(value.previous));

/**
 * Reads a remote index. Leaves out what is not a remote, as from a server of another version: its pages are opened as new
 * documents.
 *
 * @returns `undefined` if the value is no remote index
 */
export function readRemoteIndex(value: unknown): RemoteIndex | undefined {
  if (!isRecord(value) || !Array.isArray(value.remotes)) return undefined;
  const missing = Array.isArray(value.missing) ? value.missing.filter((name) => typeof name === 'string') : [];
  const preview = typeof value.preview === 'string' ? { preview: value.preview } : {};
  return { remotes: value.remotes.filter(isRemote), missing, ...preview };
}

async function fetchRemoteIndex(): Promise<RemoteIndex> {
  const response = await fetch(remoteIndexUrl, { cache: 'no-cache' });
  const index = response.ok ? readRemoteIndex(await response.json()) : undefined;
  if (!index) throw new Error(`${remoteIndexUrl} returned no remote index (status ${response.status}).`);
  return index;
}

/** The releases of the site known to this page: from its HTML, then from the current remote index. */
export class KnownReleases {
  #known: RemoteIndex;
  readonly #inlinedPreview: string | undefined;
  #polledAt = Date.now();
  #polling: Promise<unknown> | undefined;

  constructor(inlined: RemoteIndex) {
    this.#known = inlined;
    this.#inlinedPreview = inlined.preview;
  }

  /** Returns a remote with its latest known active release. */
  find(name: string): RegisteredRemote | undefined {
    return this.#known.remotes.find((remote) => remote.name === name);
  }

  /**
   * Returns a remote with its newest release, whose files can be verified: one that came with another remote's page has no
   * integrity values yet.
   *
   * @param polling by default a poll if one is due; a known release does not wait for it for long
   * @returns `undefined` if the remote no longer exists
   * @throws Error if the integrity values can't be fetched
   */
  async newest(name: string, polling = this.pollIfDue()): Promise<RegisteredRemote | undefined> {
    const canBeVerified = () => this.find(name)?.integrity !== undefined;
    let failure: unknown;
    if (canBeVerified()) await withTimeout(polling, newestTimeout).catch(() => undefined);
    else failure = await this.poll();
    // One immediate retry, as for the files of a release.
    if (!canBeVerified() && !isTimeout(failure)) failure = await this.poll();
    const newest = this.find(name);
    if (!newest || newest.integrity) return newest;
    const message = `${name}@${newest.version} cannot be verified: its integrity values could not be fetched.`;
    throw new Error(message, { cause: failure });
  }

  /** Polls for new releases, unless this page did within the last minute. */
  async pollIfDue(): Promise<unknown> {
    return Date.now() - this.#polledAt >= pollInterval ? this.poll() : undefined;
  }

  /** Polls for new releases now. If the poll fails, resolves with the error, and the known releases remain. */
  poll(): Promise<unknown> {
    this.#polledAt = Date.now();
    this.#polling ??= withTimeout(fetchRemoteIndex())
      .then(
        (index) => {
          // A preview began or ended in another tab: only new documents say which releases they show.
          const isSame = index.preview === this.#inlinedPreview;
          this.#known = isSame ? index : { ...index, remotes: [] };
        },
        // A load that needs more than the known releases reports the failure.
        (error: unknown) => error,
      )
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }
}

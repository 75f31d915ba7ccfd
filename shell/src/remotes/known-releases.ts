import { type RegisteredRemote, type RemoteIndex, remoteIndexUrl } from '@daybook/contract/release';
import { isTimeout, withTimeout } from './load-timeout.ts';

/** Minimum interval in ms between polls for new releases by a page that stays open. */
const pollInterval = 60_000;

/** Timeout in ms of the wait for newer releases before a page loads from a known one. */
const newestTimeout = 5_000;

/** @throws TypeError if the value is no remote index; the shell server has validated its parts */
export function readRemoteIndex(value: unknown): RemoteIndex {
  const { remotes, missing } = (value ?? {}) as Partial<RemoteIndex>;
  if (!Array.isArray(remotes) || !Array.isArray(missing)) throw new TypeError('The remote index is missing.');
  return value as RemoteIndex;
}

async function fetchRemoteIndex(): Promise<RemoteIndex> {
  const response = await fetch(remoteIndexUrl, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${remoteIndexUrl} could not be loaded (status ${response.status}).`);
  return readRemoteIndex(await response.json());
}

/** The releases of the site known to this page: from its HTML, then from the current remote index. */
export class KnownReleases {
  #known: RemoteIndex;
  readonly #preview: string | undefined;
  #polledAt = Date.now();
  #polling: Promise<void> | undefined;

  constructor(inlined: RemoteIndex) {
    this.#known = inlined;
    this.#preview = inlined.preview;
  }

  /** Returns a remote with its latest known active release. */
  find(name: string): RegisteredRemote | undefined {
    return this.#known.remotes.find((remote) => remote.name === name);
  }

  /** Returns whether this page has not polled within the last minute. */
  get isPollDue(): boolean {
    return Date.now() - this.#polledAt >= pollInterval;
  }

  /**
   * Returns a remote with its newest release, whose files can be verified: the page's HTML has integrity values of its own
   * remote only.
   *
   * @param polls whether to poll first; a known release does not wait for it for long
   * @returns `undefined` if the remote no longer exists
   * @throws Error if the integrity values can't be fetched, with one retry
   */
  async newest(name: string, polls = this.isPollDue): Promise<RegisteredRemote | undefined> {
    if (this.find(name)?.integrity) {
      if (polls) await withTimeout(this.poll(), newestTimeout).catch(() => undefined);
    } else
      await this.poll().catch((error: unknown) => {
        if (isTimeout(error)) throw error;
        return this.poll();
      });
    const newest = this.find(name);
    if (newest && !newest.integrity) throw new Error(`${name}@${newest.version} has no integrity values.`);
    return newest;
  }

  /**
   * Polls for new releases now.
   *
   * @throws Error if that fails; the known releases remain
   */
  poll(): Promise<void> {
    this.#polledAt = Date.now();
    this.#polling ??= withTimeout(fetchRemoteIndex())
      .then((index) => {
        // A preview began or ended in another tab: only new documents say which releases they show.
        this.#known = index.preview === this.#preview ? index : { ...index, remotes: [] };
      })
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }
}

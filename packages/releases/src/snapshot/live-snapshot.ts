import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RemoteIndex } from '@daybook/contract/release';
import type { NewRelease, ReleaseRegistry } from '../registry/release-registry.ts';
import type { Deployment, NewDeployment } from '../registry/remote-state.ts';
import type { TeamKeys } from '../signature/team-keys.ts';
import { added, keyOf, LastKnownFile, nothingStored, type RegistryContent, storedRelease } from './registry-content.ts';
import { RegistryReader, type RegistryReaderOptions } from './registry-reader.ts';
import { ReleaseDownloads, type ReleaseDownloadsOptions } from './release-downloads.ts';
import { ReleasesFolder } from './releases-folder.ts';
import type { LocalRelease, PreviewedSite, SiteReleases } from './site-releases.ts';
import { Snapshot } from './snapshot.ts';

/** In ms: the delay until a change by another server is served. */
const pollInterval = 500;

/** In ms: a starting server waits this long for the active releases, then serves what it has. */
const startTimeout = 5_000;

/** In ms: a file that is not here yet delays its response at most this long. */
const catchUpTimeout = 2_000;

/** In ms: requests for unknown files must not poll the registry all the time. */
const catchUpInterval = 200;

interface LiveSnapshotOptions
  extends Pick<RegistryReaderOptions, 'report' | 'onRecovery'>,
    Pick<ReleaseDownloadsOptions, 'shell'> {
  readonly teamKeys: Pick<TeamKeys, 'remotes' | 'refresh'>;
  readonly registry: ReleaseRegistry;
  /** A cache of this server, which may be deleted at any time. */
  readonly folder: string;
}

/**
 * The current snapshot, and the loop that keeps it up to date: `RegistryReader` reads the registry, `ReleaseDownloads` fetches
 * files into this server's folder. While the registry can't be used, everything stays as it is.
 */
export class LiveSnapshot implements SiteReleases {
  readonly files: ReleasesFolder;
  readonly #options: LiveSnapshotOptions;
  readonly #lastKnown: LastKnownFile;
  readonly #reader: RegistryReader;
  readonly #downloads: ReleaseDownloads;
  readonly #stopped = new AbortController();
  #current: Snapshot;
  #polling: Promise<unknown> = Promise.resolve();
  #catchingUp: Promise<unknown> | undefined;
  #caughtUpAt = Number.NEGATIVE_INFINITY;

  constructor(options: LiveSnapshotOptions) {
    const { folder, report, teamKeys, registry, onRecovery, shell } = options;
    this.#options = options;
    this.files = new ReleasesFolder(folder, report);
    this.#lastKnown = new LastKnownFile(folder, report);
    this.#current = new Snapshot(teamKeys.remotes(), nothingStored, new Map());
    this.#reader = new RegistryReader({
      registry,
      report,
      onRecovery,
      known: () => this.#current.content,
      onRead: (content) => this.#replace(content),
    });
    this.#downloads = new ReleaseDownloads({
      registry,
      report,
      shell,
      reader: this.#reader,
      files: this.files,
      current: () => this.current,
      onFetched: (release, fetched) => this.#setFolder(keyOf(release), fetched),
    });
  }

  /** Why the registry can't be read, and since when; `undefined` if it could be read the last time. */
  get problem(): RegistryReader['problem'] {
    return this.#reader.problem;
  }

  /** Whether the registry was read and has no active release, as on a new site: there is nothing to wait for. */
  get isEmpty(): boolean {
    const { remotes } = this.current;
    return this.#reader.hasRead && remotes.every((remote) => this.current.stateOf(remote).active === undefined);
  }

  get current(): Snapshot {
    const remotes = this.#options.teamKeys.remotes();
    // A new key file.
    if (remotes !== this.#current.remotes) this.#replace(this.#current.content);
    return this.#current;
  }

  remoteIndex(bucket?: number): RemoteIndex {
    return this.current.remoteIndex(bucket);
  }

  hasCanary(): boolean {
    return this.current.hasCanary();
  }

  findPreview(token: string): PreviewedSite | undefined {
    return this.current.findPreview(token);
  }

  find(remote: string, version: string): LocalRelease | undefined {
    return this.current.find(remote, version);
  }

  /** Follows the registry until `stop()`; resolves when the releases are here, or after a timeout. */
  async start(): Promise<void> {
    await this.files.sweep();
    this.#replace(this.#lastKnown.read());
    // What is on the disk is served at once, also without a registry.
    const begun = this.#downloads.fetchAll('join').then(() => {
      this.#polling = this.#poll();
      return this.update();
    });
    await Promise.race([begun, delay(startTimeout, undefined, { ref: false })]);
  }

  /** Resolves when all reads and writes have ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#polling, this.#downloads.stop()]);
  }

  /**
   * Reads the registry; resolves when the snapshot has everything that was in the registry at the time of the call.
   *
   * @throws RegistryError if it can't be read; the snapshot is unchanged
   */
  refresh(): Promise<void> {
    return this.#reader.read();
  }

  /**
   * Reads the registry, and fetches what is missing here. Never fails: problems are reported.
   *
   * @param remote by default all of them
   */
  async update(remote?: string): Promise<void> {
    await this.refresh().catch(() => undefined);
    // A run that began before may have missed what the snapshot has now.
    if (remote === undefined) await this.#downloads.fetchAll('again');
    else await this.#downloads.fetchOf(remote, 'again');
  }

  async catchUp(): Promise<void> {
    if (this.problem) return;
    if (!this.#catchingUp && performance.now() - this.#caughtUpAt < catchUpInterval) return;
    this.#catchingUp ??= this.update().finally(() => {
      this.#catchingUp = undefined;
      this.#caughtUpAt = performance.now();
    });
    await Promise.race([this.#catchingUp, delay(catchUpTimeout, undefined, { ref: false })]);
  }

  /**
   * Appends a deployment to the registry, and to the snapshot without reading the registry again.
   *
   * @returns the deployment with its time
   * @throws ConflictError if the remote has one of this number already, or no longer the release
   * @throws RegistryError
   */
  async append(deployment: NewDeployment): Promise<Deployment> {
    const made = await this.#options.registry.append(deployment);
    const { content } = this.#current;
    this.#replace(added(content, { deployments: [made] }, content.releases));
    return made;
  }

  /**
   * Serves what this server has just stored, also if the registry can't be read at that moment: the response states
   * that visitors get it.
   *
   * @param release whose files are in this server's folder
   * @param deployments those that were stored with it
   */
  async addPublished(release: NewRelease, deployments: readonly Deployment[]): Promise<void> {
    await this.refresh().catch(() => {
      const { content } = this.#current;
      // At about the time in the registry: the next read gets the release anew.
      const stored = storedRelease({ ...release, storedAt: Date.now() }, release);
      const releases = new Map(content.releases).set(keyOf(release), stored);
      this.#replace(added(content, { deployments }, releases));
    });
    await this.#downloads.fetchOf(release.remote, 'again');
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      this.#options.teamKeys.refresh(this.#options.report);
      await this.refresh().catch(() => undefined);
      // Not awaited: a large release must not delay the change of another remote.
      void this.#downloads.fetchAll('join');
      await delay(pollInterval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #setFolder(key: string, folder: string | undefined): void {
    const { content, folders } = this.#current;
    if (folders.get(key) === folder) return;
    const changed = new Map(folders);
    if (folder === undefined) changed.delete(key);
    else changed.set(key, folder);
    this.#replace(content, changed);
  }

  #replace(content: RegistryContent, folders = this.#current.folders): void {
    const before = this.#current;
    const remotes = this.#options.teamKeys.remotes();
    if (content === before.content && folders === before.folders && remotes === before.remotes) return;
    // Stored again under the same version: what is here is of another build. Not if only its commit was added.
    const isOther = (key: string) => {
      const [was, is] = [before.content.releases.get(key), content.releases.get(key)];
      return was && is && was !== is && !isDeepStrictEqual(was.files, is.files);
    };
    const valid = [...folders.keys()].some(isOther) ? new Map([...folders].filter(([key]) => !isOther(key))) : folders;
    this.#current = new Snapshot(remotes, content, valid, before);
    if (content !== before.content) this.#lastKnown.write(content);
  }
}

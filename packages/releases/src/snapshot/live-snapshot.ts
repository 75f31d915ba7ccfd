import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RemoteIndex } from '@daybook/contract/release';
import { filesIn, type NewRelease, RegistryError, type ReleaseRegistry } from '../registry/release-registry.ts';
import { type Deployment, previousVersions, runningPreview } from '../registry/remote-state.ts';
import type { TeamKeys } from '../signature/team-keys.ts';
import {
  added,
  findReplaced,
  keyOf,
  LastKnownFile,
  nothingStored,
  type RegistryContent,
  type StoredRelease,
  shellName,
  storedRelease,
} from './registry-content.ts';
import { diskProblem, ReleasesFolder } from './releases-folder.ts';
import { type ShellBuildFolder, storeShellBuild } from './shell-builds.ts';
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

/** In ms: what failed is tried again after this time. */
const retryAfter = 10_000;

interface LiveSnapshotOptions {
  readonly teamKeys: Pick<TeamKeys, 'remotes' | 'refresh'>;
  readonly registry: ReleaseRegistry;
  /** A cache of this server, which may be deleted at any time. */
  readonly folder: string;
  /** This server's build of the shell, and how many to retain; absent in development. */
  readonly shell?: (ShellBuildFolder & { readonly retained: number }) | undefined;
  /** Called once with each problem. */
  readonly report: (problem: string) => void;
  /** Called once when a problem has ended. */
  readonly onRecovery: (message: string) => void;
}

/**
 * The current snapshot, and the loop that keeps it up to date: reads the registry, and fetches files into this server's
 * folder. While the registry can't be used, everything stays as it is.
 */
export class LiveSnapshot implements SiteReleases {
  readonly files: ReleasesFolder;
  readonly #options: LiveSnapshotOptions;
  readonly #lastKnown: LastKnownFile;
  readonly #stopped = new AbortController();
  #current: Snapshot;
  #reading: Promise<void> = Promise.resolve();
  #nextRead: Promise<void> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #catchingUp: Promise<unknown> | undefined;
  #caughtUpAt = Number.NEGATIVE_INFINITY;
  #isShellStored = false;
  /** Before, nothing may be removed from the folder: it may have all that visitors can get. */
  #isRead = false;
  /** What is being fetched, by remote. */
  readonly #fetching = new Map<string, Promise<void>>();
  /** The last failure of each attempt, and its time. */
  readonly #failures = new Map<string, { readonly message: string; readonly at: number }>();
  /** Why the registry can't be read, and since when (ISO 8601); `undefined` if it could be read the last time. */
  problem: { readonly message: string; readonly since: string } | undefined;

  constructor(options: LiveSnapshotOptions) {
    const { folder, report, teamKeys } = options;
    this.#options = options;
    this.files = new ReleasesFolder(folder, report);
    this.#lastKnown = new LastKnownFile(folder, report);
    this.#current = new Snapshot(teamKeys.remotes(), nothingStored, new Map());
  }

  /** Whether the registry was read and has no active release, as on a new site: there is nothing to wait for. */
  get isEmpty(): boolean {
    return this.#isRead && this.current.remotes.every((remote) => this.current.stateOf(remote).active === undefined);
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
    const begun = this.#fetchAll('join').then(() => {
      this.#running = this.#follow();
      return this.update();
    });
    await Promise.race([begun, delay(startTimeout, undefined, { ref: false })]);
  }

  /** Resolves when all reads and writes have ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#running, ...this.#fetching.values()]);
  }

  /**
   * Reads the registry; resolves when the snapshot has everything that was in the registry at the time of the call.
   *
   * @throws RegistryError if it can't be read; the snapshot is unchanged
   */
  refresh(): Promise<void> {
    // A read that runs already may have missed what the caller knows of.
    this.#nextRead ??= this.#reading.then(() => {
      this.#nextRead = undefined;
      const read = this.#read();
      this.#reading = read.catch(() => undefined);
      return read;
    });
    return this.#nextRead;
  }

  /**
   * Reads the registry, and fetches what is missing here. Never fails: problems are reported.
   *
   * @param remote by default all of them
   */
  async update(remote?: string): Promise<void> {
    await this.refresh().catch(() => undefined);
    // A run that began before may have missed what the snapshot has now.
    if (remote === undefined) await this.#fetchAll('again');
    else await this.#fetchOnce('again', remote, () => this.#fetchRemote(remote));
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
  async append(deployment: Omit<Deployment, 'at'>): Promise<Deployment> {
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
   * @param deployment that was stored with it
   */
  async addPublished(release: NewRelease, deployment: Deployment | undefined): Promise<void> {
    await this.refresh().catch(() => {
      const { content } = this.#current;
      // At about the time in the registry: the next read gets the release anew.
      const stored = storedRelease({ ...release, storedAt: Date.now() }, release);
      const releases = new Map(content.releases).set(keyOf(release), stored);
      this.#replace(added(content, { deployments: deployment ? [deployment] : [] }, releases));
    });
    await this.#fetchOnce('again', release.remote, () => this.#fetchRemote(release.remote));
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      this.#options.teamKeys.refresh(this.#options.report);
      await this.refresh().catch(() => undefined);
      // Not awaited: a large release must not delay the change of another remote.
      void this.#fetchAll('join');
      await delay(pollInterval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #read(): Promise<void> {
    const { registry, report, onRecovery } = this.#options;
    try {
      // As of now: this server may append a deployment while it reads.
      const last = new Map(this.#current.content.deployments.map((each) => [each.remote, each]));
      const read = await registry.read(new Map([...last].map(([remote, { number }]) => [remote, number])));
      const replaced = findReplaced(last, read);
      if (replaced === undefined) {
        const releases = await this.#readManifests(read.releases);
        this.#replace(added(this.#current.content, read, releases));
      } else {
        const whole = await registry.read(new Map());
        this.#replace(added(nothingStored, whole, await this.#readManifests(whole.releases)));
        report(
          `The release registry has other deployments of ${replaced} than before: was it restored from a backup? Its present state counts.`,
        );
      }
      if (this.problem) onRecovery(`The release registry can be used again; it could not since ${this.problem.since}.`);
      this.problem = undefined;
      this.#isRead = true;
    } catch (error) {
      const { message } = error as Error;
      if (!this.problem) report(message);
      this.problem = { message, since: this.problem?.since ?? new Date().toISOString() };
      throw error;
    }
  }

  /** Reads the manifests of the listed releases: those that are known stay the same objects. */
  async #readManifests(listed: Awaited<ReturnType<ReleaseRegistry['read']>>['releases']) {
    const { registry, report } = this.#options;
    const releases = new Map<string, StoredRelease>();
    for (const each of listed) {
      const known = this.#current.content.releases.get(keyOf(each));
      // At another time: it was removed and stored again, or a build of the shell was started again.
      if (known?.storedAt === each.storedAt) releases.set(keyOf(each), known);
      else {
        const manifest = await registry.readManifest(each.remote, each.version);
        // Otherwise it was removed in the meantime.
        if (!manifest) continue;
        const stored = storedRelease(each, manifest);
        if (stored.error) report(`${keyOf(each)} can't be served: ${stored.error.message}`);
        releases.set(keyOf(each), stored);
      }
    }
    return releases;
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

  /**
   * Fetches missing files, of all remotes at once: no remote waits for another. Never fails.
   *
   * @param ifRunning of a remote whose files are being fetched: to join that, or to do it again afterward
   */
  async #fetchAll(ifRunning: 'join' | 'again'): Promise<void> {
    await Promise.all([
      ...this.current.remotes.map((remote) => this.#fetchOnce(ifRunning, remote, () => this.#fetchRemote(remote))),
      this.#fetchOnce(ifRunning, shellName, () => this.#fetchShellBuilds()),
    ]);
  }

  async #fetchOnce(ifRunning: 'join' | 'again', remote: string, run: () => Promise<void>): Promise<void> {
    if (ifRunning === 'again') await this.#fetching.get(remote);
    // Who stops the server waits only for what runs at that time.
    if (this.#stopped.signal.aborted) return;
    const running = this.#fetching.get(remote) ?? run().finally(() => this.#fetching.delete(remote));
    this.#fetching.set(remote, running);
    await running;
  }

  async #fetchRemote(remote: string): Promise<void> {
    const state = this.current.stateOf(remote);
    const urgent = [state.active, state.canary?.version, runningPreview(state)?.version, ...previousVersions(state)];
    const versions = new Set([...urgent, ...this.current.releasesOf(remote).map(({ version }) => version)]);
    for (const version of versions) {
      const stored = version !== undefined && this.current.stored(remote, version);
      if (stored) await this.#fetch(stored);
    }
    const { served, previous } = this.current.servedBy(remote) ?? {};
    const isNeeded = (version: string) =>
      this.current.stored(remote, version) !== undefined ||
      version === served?.version ||
      version === previous?.version;
    await this.#prune(`Old releases of ${remote}`, remote, isNeeded);
  }

  /** Stores this server's build of the shell once, and again if the registry has lost it; fetches those of others. */
  async #fetchShellBuilds(): Promise<void> {
    const { registry, shell } = this.#options;
    if (!shell) return;
    const builds = () => this.current.listed(shellName);
    if (!this.problem && !(this.#isShellStored && builds().some(({ version }) => version === shell.version)))
      await this.#attempt("The shell’s build can't be stored in the release registry", async () => {
        await storeShellBuild(registry, shell);
        await this.refresh();
        const removed = builds()
          .slice(shell.retained)
          .map(({ version }) => version);
        if (removed.length > 0) await registry.remove(shellName, removed, 0);
        this.#isShellStored = true;
      });
    for (const build of builds()) if (build.version !== shell.version) await this.#fetch(build);
    await this.#prune('Old builds of the shell', shellName, (version) =>
      builds().some((each) => each.version === version),
    );
  }

  async #prune(what: string, remote: string, isNeeded: (version: string) => boolean): Promise<void> {
    if (this.#isRead)
      await this.#attempt(`${what} can't be removed from RELEASES_FOLDER`, () => this.files.prune(remote, isNeeded));
  }

  /** Brings a release's files here, and its folder into the snapshot. */
  async #fetch(stored: StoredRelease): Promise<void> {
    const { registry } = this.#options;
    const { remote, version } = stored;
    let folder = await this.files.find(stored);
    if (folder === undefined && !this.problem && !this.#stopped.signal.aborted)
      await this.#attempt(`${keyOf(stored)} can't be fetched from the release registry`, async () => {
        await this.files.fetch(stored, filesIn(registry, remote, version), this.#stopped.signal);
        folder = await this.files.find(stored);
      });
    const { content, folders } = this.#current;
    if (folders.get(keyOf(stored)) === folder) return;
    const changed = new Map(folders);
    if (folder === undefined) changed.delete(keyOf(stored));
    else changed.set(keyOf(stored), folder);
    this.#replace(content, changed);
  }

  /**
   * Does something, unless that failed a moment ago. Never fails: reports each failure once.
   *
   * @param failed what a failure means, for the report
   */
  async #attempt(failed: string, act: () => Promise<void>): Promise<void> {
    const failure = this.#failures.get(failed);
    if (failure && performance.now() - failure.at < retryAfter) return;
    try {
      await act();
      this.#failures.delete(failed);
    } catch (error) {
      // The reader reports failures of the registry.
      if (this.#stopped.signal.aborted || error instanceof RegistryError) return;
      const message = diskProblem(error) ?? (error as Error).message;
      this.#failures.set(failed, { message, at: performance.now() });
      if (message !== failure?.message) this.#options.report(`${failed}: ${message}`);
    }
  }
}

import { filesIn, RegistryError, type ReleaseRegistry } from '../registry/release-registry.ts';
import { previousVersions, runningPreview } from '../registry/remote-state.ts';
import { keyOf, type StoredRelease, shellName } from './registry-content.ts';
import type { RegistryReader } from './registry-reader.ts';
import { diskProblem, type ReleasesFolder } from './releases-folder.ts';
import { type ShellBuildFolder, storeShellBuild } from './shell-builds.ts';
import type { Snapshot } from './snapshot.ts';

/** In ms: what failed is tried again after this time. */
const retryAfter = 10_000;

/** What to do for a remote whose files are being fetched: wait for that, or fetch once more afterward. */
type IfRunning = 'join' | 'again';

export interface ReleaseDownloadsOptions {
  readonly registry: ReleaseRegistry;
  readonly reader: RegistryReader;
  readonly files: ReleasesFolder;
  /** This server's build of the shell, and how many to retain; absent in development. */
  readonly shell?: (ShellBuildFolder & { readonly retained: number }) | undefined;
  /** Called once with each problem. */
  readonly report: (problem: string) => void;
  readonly current: () => Snapshot;
  /** Called with each release whose files were sought: its folder, or `undefined` while they are not here. */
  readonly onFetched: (release: StoredRelease, folder: string | undefined) => void;
}

/**
 * Fetches the files of the snapshot's releases from the registry into this server's folder, of all remotes at once, and
 * removes those that are no longer needed. Its methods never fail: problems are reported.
 */
export class ReleaseDownloads {
  readonly #options: ReleaseDownloadsOptions;
  readonly #stopped = new AbortController();
  /** What is being fetched, by remote. */
  readonly #fetching = new Map<string, Promise<void>>();
  /** The last failure of each attempt, and its time. */
  readonly #failures = new Map<string, { readonly message: string; readonly at: number }>();
  #isShellStored = false;

  constructor(options: ReleaseDownloadsOptions) {
    this.#options = options;
  }

  /** Fetches the missing files of all remotes and of the shell's builds; no remote waits for another. */
  async fetchAll(ifRunning: IfRunning): Promise<void> {
    await Promise.all([
      ...this.#options.current().remotes.map((remote) => this.fetchOf(remote, ifRunning)),
      this.#runOnce(shellName, ifRunning, () => this.#fetchShellBuilds()),
    ]);
  }

  /** Fetches the missing files of a remote. */
  fetchOf(remote: string, ifRunning: IfRunning): Promise<void> {
    return this.#runOnce(remote, ifRunning, () => this.#fetchRemote(remote));
  }

  /** Resolves when nothing is read or written any more. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#fetching.values());
  }

  async #runOnce(name: string, ifRunning: IfRunning, run: () => Promise<void>): Promise<void> {
    if (ifRunning === 'again') await this.#fetching.get(name);
    // Who stops the server waits only for what runs at that time.
    if (this.#stopped.signal.aborted) return;
    const running = this.#fetching.get(name) ?? run().finally(() => this.#fetching.delete(name));
    this.#fetching.set(name, running);
    await running;
  }

  async #fetchRemote(remote: string): Promise<void> {
    const { current } = this.#options;
    const state = current().stateOf(remote);
    const urgent = [state.active, state.canary?.version, runningPreview(state)?.version, ...previousVersions(state)];
    const versions = new Set([
      ...urgent,
      ...current()
        .servableOf(remote)
        .map(({ version }) => version),
    ]);
    for (const version of versions) {
      const release = version !== undefined && current().servable(remote, version);
      if (release) await this.#fetch(release);
    }
    const { served, previous } = current().servedBy(remote) ?? {};
    const isNeeded = (version: string) =>
      current().servable(remote, version) !== undefined || version === served?.version || version === previous?.version;
    await this.#prune(`Old releases of ${remote}`, remote, isNeeded);
  }

  /** Stores this server's build of the shell once, and again if the registry has lost it; fetches those of others. */
  async #fetchShellBuilds(): Promise<void> {
    const { registry, reader, shell, current } = this.#options;
    if (!shell) return;
    const builds = () => current().storedOf(shellName);
    if (!reader.problem && !(this.#isShellStored && builds().some(({ version }) => version === shell.version)))
      await this.#attempt("The shell’s build can't be stored in the release registry", async () => {
        await storeShellBuild(registry, shell);
        await reader.read();
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

  /** Brings a release's files here. */
  async #fetch(stored: StoredRelease): Promise<void> {
    const { registry, reader, files, onFetched } = this.#options;
    const { signal } = this.#stopped;
    let folder = await files.find(stored);
    if (folder === undefined && !reader.problem && !signal.aborted)
      await this.#attempt(`${keyOf(stored)} can't be fetched from the release registry`, async () => {
        await files.fetch(stored, filesIn(registry, stored.remote, stored.version), signal);
        folder = await files.find(stored);
      });
    onFetched(stored, folder);
  }

  async #prune(what: string, remote: string, isNeeded: (version: string) => boolean): Promise<void> {
    const { reader, files } = this.#options;
    // Before the first read, the folder may have all that visitors can get.
    if (reader.hasRead)
      await this.#attempt(`${what} can't be removed from RELEASES_FOLDER`, () => files.prune(remote, isNeeded));
  }

  /**
   * Does something, unless that failed a moment ago. Reports each failure once.
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
